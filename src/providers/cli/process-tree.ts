// Which processes belong to a call. A child can leave its group, its session and its parent, and it can be given another
// environment and another folder; it belongs to the call for as long as one of them, or a pipe of the call, is left, and
// once it was seen it is remembered, whatever it gives up.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { describeChild, type ProcessEntry } from "./process-table.ts";
import { tetherOf } from "./tether.ts";

/** How the folder of a call begins; it tells a model that looks around nothing about who asks. */
export const CALL_PREFIX = "dbcall-";

/** What belongs to one call. */
export interface Tree {
  /** The child that was started, leader of a group and a session of its own; null when it is not known any more. */
  readonly root: number | null;
  /** The folder of the call, absolute. Anybody may learn of it, so that a process has its name somewhere proves nothing. */
  readonly folder: string;
  /** The same with every link resolved, as the system names working directories; null when it is not there. */
  readonly realFolder: string | null;
  /** When the child began; none of its descendants is older. 0 when it is not known. */
  readonly start: number;
  /** The child's ends of its standard streams, and the call's tether. */
  readonly pipes: readonly string[];
  /** Who belonged to it when last looked for, ourselves excepted, and when each began. */
  members: ReadonlyMap<number, number>;
  /** Groups and sessions that a member has founded, for as long as somebody is in them. */
  founded: ReadonlySet<number>;
}

/** The folder for temporary files that a call's command is given, below the folder of the call. */
export function tempFolderOf(folder: string): string {
  return join(folder, "tmp");
}

/** The tree of a child that was started a moment ago; `root` null for one of which only the folder is known. */
export function plantTree(root: number | null, folder: string): Tree {
  const { start, pipes } = root === null ? { start: 0, pipes: [] } : describeChild(root);
  const founded = new Set(root === null ? [] : [root]);
  const realFolder = resolveLinks(folder);
  const ties = realFolder === null ? pipes : [...pipes, tetherOf(realFolder)];
  return { root, folder, realFolder, start, pipes: ties, members: new Map(), founded };
}

function resolveLinks(folder: string): string | null {
  try {
    return realpathSync(folder);
  } catch {
    return null;
  }
}

/** Finds the members of the trees among the processes of now, and remembers them. */
export function findMembers(trees: Iterable<Tree>, table: readonly ProcessEntry[]): void {
  const index = new Index(table);
  const searches = [...trees].map((tree) => new Search(tree, index));
  for (const search of searches) search.followTies();
  const claimed = new Set(searches.flatMap(({ found }) => [...found.keys()]));
  const byPipe = new Map(searches.flatMap((search) => search.tree.pipes.map((pipe) => [pipe, search])));
  const oldest = searches.reduce((start, { tree }) => Math.min(start, tree.start), Number.POSITIVE_INFINITY);
  for (const entry of table) {
    // Reading more of a process than its numbers takes time, so only strangers that could be ours are asked.
    if (entry.start < oldest || claimed.has(entry.pid) || entry.pid === process.pid) continue;
    const marked = searches.filter(marking(entry));
    for (const search of marked) search.add(entry);
    if (marked.length > 0 || byPipe.size === 0) continue;
    for (const pipe of entry.pipes()) {
      const search = byPipe.get(pipe);
      if (search !== undefined && mayEnd(search.tree, entry)) search.add(entry);
    }
  }
  for (const search of searches) search.finish();
}

/**
 * Which calls a process bears the mark of: the call's folder for temporary files, exactly as the command was given it. A
 * process that began after a call's child, and works in the folder of the call, is one of it, too: nothing else has a reason
 * to begin there while the call lasts. Of a call whose program is dead the folder may lie around for days, and a person who
 * looks into it is not to lose a shell: there the environment and the tether alone count, of processes of our own user.
 */
function marking(entry: ProcessEntry): (search: Search) => boolean {
  const has = entry.environment();
  const folder = entry.workingFolder();
  return ({ tree, setting }) => {
    if (entry.start < tree.start) return false;
    if (tree.root === null) return has(setting) && mayEnd(tree, entry);
    return has(setting) || (folder !== null && tree.realFolder !== null && isBelow(folder, tree.realFolder));
  };
}

/** Of a call whose program is dead only processes of our own user. */
function mayEnd({ root }: Tree, entry: ProcessEntry): boolean {
  return root !== null || process.getuid === undefined || entry.user() === process.getuid();
}

/** Linux writes ` (deleted)` behind a folder that is gone. */
function isBelow(folder: string, top: string): boolean {
  return folder === top || folder === `${top} (deleted)` || folder.startsWith(`${top}/`);
}

/** Who is whose child, and who is in which group and session. */
class Index {
  readonly byPid = new Map<number, ProcessEntry>();
  readonly #children = new Map<number, ProcessEntry[]>();
  readonly #in = new Map<number, ProcessEntry[]>();

  constructor(table: readonly ProcessEntry[]) {
    for (const entry of table) {
      this.byPid.set(entry.pid, entry);
      put(this.#children, entry.parent, entry);
      put(this.#in, entry.group, entry);
      if (entry.session !== entry.group) put(this.#in, entry.session, entry);
    }
  }

  childrenOf(pid: number): readonly ProcessEntry[] {
    return this.#children.get(pid) ?? [];
  }

  /** Everybody in the group or the session of this number. */
  foundedBy(pid: number): readonly ProcessEntry[] {
    return this.#in.get(pid) ?? [];
  }
}

function put(lists: Map<number, ProcessEntry[]>, key: number, entry: ProcessEntry): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

/** The search for the members of one tree. */
class Search {
  readonly tree: Tree;
  /** What the environment of the command holds. */
  readonly setting: string;
  readonly found = new Map<number, number>();
  readonly #index: Index;
  readonly #founded = new Set<number>();

  constructor(tree: Tree, index: Index) {
    this.tree = tree;
    this.setting = `TMPDIR=${tempFolderOf(tree.folder)}`;
    this.#index = index;
  }

  /** Those who are known already, and everybody who is tied to them. */
  followTies(): void {
    const { root, members, founded } = this.tree;
    for (const [pid, start] of members) {
      const entry = this.#index.byPid.get(pid);
      if (entry?.start === start) this.add(entry);
    }
    for (const number of founded) this.#addFounded(number);
    if (root !== null) for (const child of this.#index.childrenOf(root)) this.add(child);
  }

  /** Adds a process, its descendants, and whoever is in a group or a session that one of them has founded. */
  add(entry: ProcessEntry): void {
    const open = [entry];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (this.found.has(next.pid) || next.pid === process.pid) continue;
      this.found.set(next.pid, next.start);
      open.push(...this.#index.childrenOf(next.pid));
      if (next.group === next.pid || next.session === next.pid) {
        this.#founded.add(next.pid);
        open.push(...this.#index.foundedBy(next.pid));
      }
    }
  }

  #addFounded(number: number): void {
    const all = this.#index.foundedBy(number);
    // The number of an empty one may be given to anybody.
    if (all.length === 0) return;
    this.#founded.add(number);
    for (const entry of all) this.add(entry);
  }

  finish(): void {
    this.tree.members = this.found;
    this.tree.founded = this.#founded;
  }
}

// The corpora of a workspace, each read once: what is wrong with them, and what a published line is held against.

import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Question } from "../answers/schema.ts";
import { inspectCorpus } from "../corpus/load.ts";
import { readManifest, readPointer } from "../corpus/manifest.ts";
import type { CorpusRow, Finding } from "../corpus/schema.ts";
import { foldersIn } from "../warehouse/folders.ts";
import type { Workspace } from "../workspace.ts";

/** What a line about a row must agree with. */
export interface RowFacts {
  readonly id: string;
  readonly task: string;
  readonly category: string;
  readonly gold: string;
  readonly labels: ReadonlySet<string>;
  /** What an answer is judged by. */
  readonly question: Question;
  /** How many pictures it has. */
  readonly pictures: number;
}

/** A corpus of the workspace that was read. */
export interface ReadCorpus {
  /** Name of its folder. */
  readonly name: string;
  readonly active: boolean;
  /** A workspace whose corpus this one is. */
  readonly workspace: Workspace;
  readonly findings: readonly Finding[];
  /** What it is; null when something is wrong with it. */
  readonly sound: SoundCorpus | null;
}

export interface SoundCorpus {
  readonly suite: string;
  readonly version: string;
  readonly sha256: string;
  /** In the order of the file. */
  readonly rows: readonly RowFacts[];
  /** Places in `rows` by id. */
  readonly places: ReadonlyMap<string, number>;
  /** What its tasks and categories are called, ids and names. */
  readonly names: readonly string[];
}

/** A folder that may hold a corpus. */
interface Place {
  readonly name: string;
  readonly active: boolean;
  readonly workspace: Workspace;
  readonly manifest: string;
}

/** The corpora below `data/corpus/` and the active one, wherever that lies. */
export class Corpora {
  readonly #places: readonly Place[];
  readonly #signal: AbortSignal | undefined;
  readonly #read = new Map<Place, Promise<ReadCorpus>>();
  #digests: Promise<ReadonlyMap<Place, string>> | undefined;

  private constructor(places: readonly Place[], signal: AbortSignal | undefined) {
    this.#places = places;
    this.#signal = signal;
  }

  /**
   * Looks which there are. None is read yet.
   *
   * @throws {UserError} when `data/corpus/` cannot be read.
   */
  static async in(workspace: Workspace, signal?: AbortSignal): Promise<Corpora> {
    const pointer = await readPointer(workspace, () => {});
    const folder = dirname(workspace.corpusPointer);
    const active = pointer === null ? null : dirname(pointer.path);
    const others = foldersIn(folder, "data/corpus")
      .map((name) => join(folder, name))
      .filter((dir) => dir !== active && [CASES, MANIFEST].some((file) => existsSync(join(dir, file))))
      .map((dir) => placeOf(dir, { ...workspace, casesFile: join(dir, CASES) }, false));
    // Without a pointer that can be read there is still something to say about it.
    return new Corpora([placeOf(active ?? folder, workspace, true), ...others], signal);
  }

  /** All of them, the active one first. */
  all(): Promise<readonly ReadCorpus[]> {
    return inOrder(this.#places, (place) => this.#open(place));
  }

  /** The corpora that were read so far. */
  opened(): Promise<readonly ReadCorpus[]> {
    return inOrder(
      this.#places.filter((place) => this.#read.has(place)),
      (place) => this.#open(place),
    );
  }

  /** The corpus whose manifest froze this digest; null when there is none. */
  async find(sha256: string): Promise<ReadCorpus | null> {
    const place = await this.#place(sha256);
    return place === null ? null : await this.#open(place);
  }

  /** The workspace about the corpus whose manifest froze this digest, without reading the rows; null when there is none. */
  async workspaceOf(sha256: string): Promise<Workspace | null> {
    return (await this.#place(sha256))?.workspace ?? null;
  }

  async #place(sha256: string): Promise<Place | null> {
    this.#digests ??= digestsOf(this.#places);
    const digests = await this.#digests;
    return this.#places.find((candidate) => digests.get(candidate) === sha256) ?? null;
  }

  #open(place: Place): Promise<ReadCorpus> {
    const reading = this.#read.get(place) ?? readCorpus(place, this.#signal);
    this.#read.set(place, reading);
    return reading;
  }
}

const CASES = "cases.jsonl";
const MANIFEST = "manifest.json";

function placeOf(dir: string, workspace: Workspace, active: boolean): Place {
  return { name: basename(dir), active, workspace, manifest: join(dir, MANIFEST) };
}

async function inOrder<T, U>(items: readonly T[], read: (item: T) => Promise<U>): Promise<U[]> {
  const out: U[] = [];
  for (const item of items) out.push(await read(item));
  return out;
}

async function digestsOf(places: readonly Place[]): Promise<ReadonlyMap<Place, string>> {
  const digests = new Map<Place, string>();
  for (const place of places) {
    const { manifest } = await readManifest(place.manifest, () => {});
    if (manifest !== null) digests.set(place, manifest.sha256);
  }
  return digests;
}

async function readCorpus(place: Place, signal: AbortSignal | undefined): Promise<ReadCorpus> {
  const { name, active, workspace } = place;
  const rows: RowFacts[] = [];
  const places = new Map<string, number>();
  // Rows of a task mostly share one list of options.
  const sets = new Map<CorpusRow["question"]["options"], ReadonlySet<string>>();
  const onRow = ({ id, task, category, question, assets }: CorpusRow): void => {
    let labels = sets.get(question.options);
    if (labels === undefined) {
      labels = new Set(question.options.map(({ label }) => label));
      sets.set(question.options, labels);
    }
    places.set(id, rows.length);
    const { gold, options } = question;
    rows.push({
      id,
      task,
      category,
      gold,
      labels,
      question: { id: question.id, options },
      pictures: assets.length,
    });
  };
  const { corpus, findings } = await inspectCorpus(workspace, { keepRows: false, onRow, signal });
  if (corpus === null) return { name, active, workspace, findings, sound: null };
  const { suite, version, sha256, manifest } = corpus;
  const entries = [...manifest.tasks, ...manifest.categories];
  const names = entries.flatMap(([id, { name }]) => [id, name]);
  return { name, active, workspace, findings, sound: { suite, version, sha256, rows, places, names } };
}

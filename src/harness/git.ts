// Which commit of the harness made a run, so that a surprising number can be traced to the code behind it.
import { packageRoot } from "../workspace.ts";

export interface GitState {
  readonly commit: string | null;
  /** True when files differed from that commit. */
  readonly dirty: boolean | null;
}

const NONE: GitState = { commit: null, dirty: null };
const LIMIT_MS = 5000;

/** The commit of the package's own checkout; nulls when it is not one (an installed package), or git is not there. */
export async function gitState(folder: string = packageRoot): Promise<GitState> {
  const { execa } = await import("execa");
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  const git = (...args: string[]) =>
    execa("git", args, {
      cwd: folder,
      reject: false,
      timeout: LIMIT_MS,
      env: { ...env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" },
      extendEnv: false,
    });
  // An installed package lies inside the checkout of somebody else's project: the prefix is empty at a top level only.
  const prefix = await git("rev-parse", "--show-prefix");
  if (prefix.failed || prefix.stdout !== "") return NONE;
  const [head, status] = await Promise.all([git("rev-parse", "HEAD"), git("status", "--porcelain")]);
  if (head.failed || !/^[0-9a-f]{40,64}$/.test(head.stdout)) return NONE;
  return { commit: head.stdout, dirty: status.failed ? null : status.stdout !== "" };
}

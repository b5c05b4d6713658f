// A corpus that a command is about (brought in, made, switched to) is checked whole before anything stands on it.
import { CheckError } from "../errors.ts";
import type { Workspace } from "../workspace.ts";
import { type CorpusFile, findingText, type InspectOptions, inspectCorpus } from "./load.ts";

/**
 * The corpus that `workspace` is about, checked from its structure to its pictures; its rows are not kept.
 *
 * @param where put before the names of files, for a corpus that lies elsewhere.
 * @throws {CheckError} naming the first problem and how many more there are; {@link InterruptedError} when it was stopped.
 */
export async function checkedCorpus(
  workspace: Workspace,
  options: Pick<InspectOptions, "onRow" | "signal">,
  where = "",
): Promise<CorpusFile> {
  const { corpus, findings } = await inspectCorpus(workspace, { ...options, keepRows: false });
  if (corpus !== null) return corpus;
  const [first] = findings;
  if (first === undefined) throw new Error("a corpus without a finding is sound");
  const others = findings.length - 1;
  throw new CheckError(`${where}${findingText(first)}${others > 0 ? ` (and ${others} more)` : ""}`);
}

// What metadata.json says, held against the corpus, the lines beside it, and the folder that it lies in.
import { isDeepStrictEqual } from "node:util";
import { PROMPT_VERSION, promptSha256 } from "../answers/prompt.ts";
import { COMMAND_OF } from "../providers/cli/find-command.ts";
import { isProvider } from "../providers/probability-sources.ts";
import { quoted } from "../quote.ts";
import { ANALYSIS_VERSION, analysisVersions } from "../warehouse/views.ts";
import type { SoundCorpus } from "./corpora.ts";
import {
  CLOCK_WARNING,
  cliVersionsWarning,
  coverageWarning,
  isCliVersionsWarning,
  timeOutOfOrder,
} from "./metadata.ts";
import type { Tally } from "./predictions-check.ts";
import { differs, type ProblemList, unlike } from "./problem.ts";
import type { MetadataFile } from "./schema.ts";

/** Checks what needs nothing but the document and the names of its two folders. */
export function checkMetadata(data: MetadataFile, id: string, problems: ProblemList): void {
  const [suite, model] = id.split("/");
  const tell = (field: string, found: unknown, expected: unknown, because = ""): void =>
    problems.add(null, field, differs(found, expected, because));
  const tellUnlike: typeof tell = (field, found, expected, because) => {
    if (found !== expected) tell(field, found, expected, because);
  };
  tellUnlike("suite", data.suite, suite, "the name of its folder");
  tellUnlike("model.id", data.model.id, model, "the name of its folder");

  const odd = timeOutOfOrder(data.run);
  if (odd !== null && !(data.published_with_warnings ?? []).includes(CLOCK_WARNING)) {
    const { name, after } = odd;
    const words = `a time not before run.${after}, ${data.run[after]}`;
    problems.add(null, `run.${name}`, unlike(data.run[name], words));
  }
  // This program publishes on the active corpus only.
  if (data.analysis_version != null && !data.corpus.current)
    tell("corpus.current", false, true, "it was the active one");

  const { rows_selected: selected, rows_completed: done, rows_in_corpus: all } = data.coverage;
  const words =
    selected < done
      ? `at least coverage.rows_completed, ${done}`
      : selected > all
        ? `at most coverage.rows_in_corpus, ${all}`
        : null;
  if (words !== null) problems.add(null, "coverage.rows_selected", unlike(selected, words));
  checkStatus(data, problems);
  checkCliVersions(data, problems);

  if (data.prompt_version === PROMPT_VERSION && data.prompt_sha256 != null) {
    tellUnlike("prompt_sha256", data.prompt_sha256, promptSha256(), `the wording of ${PROMPT_VERSION}`);
  }
  const version = data.analysis_version ?? ANALYSIS_VERSION;
  const known = analysisVersions();
  if (!known.includes(version)) {
    const because = "another one was made by another version of this program";
    problems.add(null, "analysis_version", unlike(version, `one of ${known.join(", ")}`, because));
  }
}

function checkStatus(
  { run, coverage, published_with_warnings: warnings, prompt_sha256: prompt }: MetadataFile,
  problems: ProblemList,
): void {
  const completed = ["completed", "completed_with_errors"].includes(run.status);
  if (completed) {
    const expected = coverage.rows_error > 0 ? "completed_with_errors" : "completed";
    const { rows_selected: selected, rows_completed: done } = coverage;
    if (done < selected) {
      problems.add(
        null,
        "run.status",
        unlike(run.status, "running or interrupted", `${done} of ${selected} selected rows are completed`),
      );
    }
    if (run.completed_at === null) {
      problems.add(null, "run.completed_at", unlike(null, "a time", `run.status is ${run.status}`));
    }
    if (run.status !== expected) {
      problems.add(
        null,
        "run.status",
        differs(run.status, expected, `since coverage.rows_error is ${coverage.rows_error}`),
      );
    }
  }
  const ours = coverageWarning(coverage.rows_completed, coverage.rows_in_corpus);
  if (prompt != null && !coverage.full && (warnings ?? []).length > 0 && !warnings?.includes(ours)) {
    const expected = `a list with ${quoted(ours)}`;
    problems.add(null, "published_with_warnings", unlike(warnings, expected));
  }
  if ((coverage.full && completed) || (warnings ?? []).length > 0) return;
  const why = coverage.full ? `run.status is ${run.status}` : "coverage.full is false";
  problems.add(null, "published_with_warnings", {
    message: `is missing: expected what was warned of, since ${why}`,
    expected: "a list of warnings, not empty",
  });
}

/** Only a command has versions; each invocation used one, and that there was more than one is warned of. */
function checkCliVersions(
  { model, run, published_with_warnings: warnings }: MetadataFile,
  problems: ProblemList,
): void {
  const versions = run.cli_versions ?? [];
  const field = "run.cli_versions";
  const { provider } = model;
  if (versions.length > 0 && isProvider(provider) && COMMAND_OF[provider] === undefined) {
    problems.add(null, field, unlike(versions, "no such field", `${provider} asks through no command`));
  } else if (new Set(versions).size < versions.length) {
    problems.add(null, field, unlike(versions, "each version once"));
  } else if (versions.length > run.executions) {
    problems.add(null, field, unlike(versions, `at most run.executions versions, ${run.executions}`));
  }
  const expected = versions.length > 1 ? [cliVersionsWarning(versions)] : [];
  const found = (warnings ?? []).filter(isCliVersionsWarning);
  if (isDeepStrictEqual(found, expected)) return;
  const [warning] = expected;
  const words =
    warning === undefined ? "no warning of more than one version" : `a list with ${quoted(warning)}`;
  problems.add(null, "published_with_warnings", unlike(warnings ?? null, words, `as ${field} says`));
}

/** Checks what it says of its corpus. */
export function checkCorpusOf(data: MetadataFile, corpus: SoundCorpus, problems: ProblemList): void {
  const because = "as the manifest of its corpus says";
  if (data.suite !== corpus.suite && !problems.has(null, "suite"))
    problems.add(null, "suite", differs(data.suite, corpus.suite, because));
  if (data.corpus.version !== corpus.version) {
    problems.add(null, "corpus.version", differs(data.corpus.version, corpus.version, because));
  }
}

/** Checks `coverage` against the lines, and against the corpus where it is known. */
export function checkCoverage(
  { coverage }: MetadataFile,
  tally: Tally,
  corpus: SoundCorpus | null,
  problems: ProblemList,
): void {
  const rows = corpus?.rows.length ?? coverage.rows_in_corpus;
  const expected = {
    rows_in_corpus: rows,
    rows_completed: tally.lines,
    rows_ok: tally.ok,
    rows_error: tally.lines - tally.ok,
    full: tally.lines === rows,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = coverage[name as keyof typeof expected];
    const from = name === "rows_in_corpus" ? "the corpus" : "predictions.jsonl";
    if (found !== value) problems.add(null, `coverage.${name}`, differs(found, value, `from ${from}`));
  }
}

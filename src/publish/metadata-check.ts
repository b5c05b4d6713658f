// What metadata.json says, held against the corpus, the lines beside it, and the folder that it lies in.
import { ANALYSIS_VERSION, analysisVersions } from "../warehouse/views.ts";
import type { SoundCorpus } from "./corpora.ts";
import type { Tally } from "./predictions-check.ts";
import { differs, type ProblemList, unlike } from "./problem.ts";
import type { MetadataFile } from "./schema.ts";

/** Checks what needs nothing but the document and the names of its two folders. */
export function checkMetadata(data: MetadataFile, id: string, problems: ProblemList): void {
  const [suite, model] = id.split("/");
  const tell = (field: string, found: unknown, expected: unknown, because = ""): void =>
    problems.add(null, field, differs(found, expected, because));
  if (data.suite !== suite) tell("suite", data.suite, suite, "the name of its folder");
  if (data.model.id !== model) tell("model.id", data.model.id, model, "the name of its folder");

  const { created_at: created, completed_at: completed, published_at: published } = data.run;
  const order = (field: string, early: string | null, late: string | null, name: string): void => {
    if (early === null || late === null || Date.parse(early) <= Date.parse(late)) return;
    problems.add(null, field, unlike(late, `a time not before run.${name}, ${early}`));
  };
  order("run.completed_at", created, completed, "created_at");
  const before = completed === null ? "created_at" : "completed_at";
  order("run.published_at", completed ?? created, published, before);

  const { rows_selected: selected, rows_completed: done, rows_in_corpus: all } = data.coverage;
  const words =
    selected < done
      ? `at least coverage.rows_completed, ${done}`
      : selected > all
        ? `at most coverage.rows_in_corpus, ${all}`
        : null;
  if (words !== null) problems.add(null, "coverage.rows_selected", unlike(selected, words));
  checkStatus(data, problems);

  const version = data.analysis_version ?? ANALYSIS_VERSION;
  const known = analysisVersions();
  if (!known.includes(version)) {
    const because = "another one was made by another version of this program";
    problems.add(null, "analysis_version", unlike(version, `one of ${known.join(", ")}`, because));
  }
}

function checkStatus(
  { run, coverage, published_with_warnings: warnings }: MetadataFile,
  problems: ProblemList,
): void {
  const completed = ["completed", "completed_with_errors"].includes(run.status);
  if (completed) {
    const expected = coverage.rows_error > 0 ? "completed_with_errors" : "completed";
    if (run.status !== expected) {
      problems.add(
        null,
        "run.status",
        differs(run.status, expected, `since coverage.rows_error is ${coverage.rows_error}`),
      );
    }
  }
  if ((coverage.full && completed) || (warnings ?? []).length > 0) return;
  const why = coverage.full ? `run.status is ${run.status}` : "coverage.full is false";
  problems.add(null, "published_with_warnings", {
    message: `is missing: expected what was warned of, since ${why}`,
    expected: "a list of warnings, not empty",
  });
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

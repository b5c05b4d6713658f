// Rows for tests: small, complete, and easy to vary.
import type { CorpusRow } from "../../src/corpus/schema.ts";

/** A text row with the given options in shown order; the first one is the answer. */
export function makeRow(
  labels: readonly string[] = ["yes", "no"],
  changes: Partial<CorpusRow> = {},
): CorpusRow {
  return {
    id: "SECRET-ROW-ID",
    suite: "bench-test",
    category: "SECRET-CATEGORY",
    categoryName: "SECRET-CATEGORY-NAME",
    task: "SECRET-TASK",
    taskName: "SECRET-TASK-NAME",
    modality: "text",
    title: "SECRET-TITLE",
    state: "The tap drips.",
    assets: [],
    question: {
      id: "decision",
      type: "choice",
      instructions: "Say whether someone has to come.",
      options: labels.map((label) => ({ label, description: `means ${label}` })),
      gold: labels[0] ?? "",
      rationale: "SECRET-RATIONALE",
      ask: "SECRET-ASK",
    },
    source: "SECRET-SOURCE",
    sourceKind: "SECRET-KIND",
    provenance: "SECRET-PROVENANCE",
    ...changes,
  };
}

/** The answer text that picks `label` with these probabilities, keys in the given order whatever they look like. */
export function answerText(
  label: string,
  probabilities: readonly (readonly [string, number | string])[],
): string {
  const members = probabilities.map(([key, value]) => `${JSON.stringify(key)}: ${value}`).join(", ");
  return `{"answers": {"decision": {"label": ${JSON.stringify(label)}, "probabilities": {${members}}}}}`;
}

// Which views there are to measure, found in the SQL itself, so that a new one is measured as soon as it is there.
import { type SqlFile, sqlFiles } from "../src/warehouse/views.ts";

export interface MetricView {
  readonly name: string;
  /** As it stands after FROM: a macro of two runs with its arguments. */
  readonly from: string;
  /** Whether it is about published results or pairs of them, so that one local run gives it no rows. */
  readonly ofPublished: boolean;
}

/** The first stage that computes metrics; what comes before puts ledgers into rows. */
const FIRST_STAGE = "3_metrics";

/** All views and macros with rows from the metrics on; macros are asked about `pair`. */
export function metricViews(
  pair: readonly [string, string],
  files: readonly SqlFile[] = sqlFiles(),
): MetricView[] {
  const ofPublished = new Set<string>();
  const views: MetricView[] = [];
  // A file reads earlier ones only.
  for (const { name, stage, kind, sql } of files) {
    if (stage < FIRST_STAGE || kind === "macros") continue;
    const code = sql.replace(/^--.*$/gm, "").replace(/^COMMENT ON .*$/gm, "");
    const stands = [...ofPublished].some((other) => new RegExp(`\\b${other}\\b`).test(code));
    if (kind === "table macro" || stands || /\bsource = 'published'/.test(code)) ofPublished.add(name);
    const from = kind === "table macro" ? `${name}('${pair[0]}', '${pair[1]}')` : name;
    views.push({ name, from, ofPublished: ofPublished.has(name) });
  }
  return views;
}

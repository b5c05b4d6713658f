// Where the rows of the corpus come from.
import { printJson } from "decision-bench/report-loader";

await printJson({
  sources: `
    SELECT dataset, source_kind, count(*) AS rows, count(DISTINCT task) AS tasks
    FROM corpus_rows GROUP BY dataset, source_kind ORDER BY dataset NULLS LAST, source_kind`,
  wordings: `
    SELECT prompt_version, prompt_sha256, count(*) AS results
    FROM runs WHERE current_corpus GROUP BY prompt_version, prompt_sha256 ORDER BY results DESC, prompt_sha256`,
});

// Where the rows of the corpus come from.
import { printJson } from "decision-bench/report-loader";

await printJson({
  sources: `
    SELECT c.dataset, c.source_kind, t.license, count(*) AS rows, count(DISTINCT c.task) AS tasks
    FROM corpus_rows AS c
    JOIN corpus_texts AS t ON t.row_id = c.row_id
    GROUP BY c.dataset, c.source_kind, t.license
    ORDER BY c.dataset NULLS LAST, c.source_kind, t.license NULLS LAST`,
  wordings: `
    SELECT prompt_version, prompt_sha256, count(*) AS results
    FROM runs WHERE current_corpus GROUP BY prompt_version, prompt_sha256 ORDER BY results DESC, prompt_sha256`,
});

-- Grain: a run (a local run folder with a readable run.json, or a published result). Unit: rows are counts.
-- Rows that were finished twice (after --retry-errors) are completed once. What a local run cannot know is NULL. Coverage
-- is counted, whatever a published result says of itself; only how many rows another corpus has is taken from it.
-- Source: run.json of a local run, metadata.json of a published result.
CREATE VIEW runs AS
WITH completed AS (
  SELECT run_id, count(DISTINCT row_id)::BIGINT AS rows_completed FROM ledger.results GROUP BY run_id
),
counted AS (
  SELECT
    r.* EXCLUDE (rows_in_corpus),
    c.sha256 IS NOT NULL AS current_corpus,
    coalesce(c.row_count, r.rows_in_corpus) AS rows_in_corpus,
    coalesce(d.rows_completed, 0)::BIGINT AS rows_completed
  FROM ledger.runs AS r
  LEFT JOIN ledger.corpus AS c ON c.sha256 = r.corpus_sha256
  LEFT JOIN completed AS d ON d.run_id = r.run_id
)
SELECT
  run_id,
  source,
  source_run_id,
  model_id,
  label,
  vendor,
  provider,
  api_model,
  suite,
  corpus_version,
  corpus_sha256,
  current_corpus,
  prompt_version,
  prompt_sha256,
  status,
  coalesce(rows_completed = rows_in_corpus, FALSE) AS full_coverage,
  rows_in_corpus,
  rows_selected,
  rows_completed,
  damaged_lines,
  created_at,
  completed_at,
  published_at,
  git_commit,
  git_dirty,
  harness_version,
  analysis_version
FROM counted;

COMMENT ON VIEW runs IS 'Local runs and published results; key: run_id';
COMMENT ON COLUMN runs.run_id IS 'Folder of a local run, or <suite>/<model-id> of a published result';
COMMENT ON COLUMN runs.source IS 'local or published';
COMMENT ON COLUMN runs.source_run_id IS 'The id under which the run was made';
COMMENT ON COLUMN runs.model_id IS 'Id of the model in models.json';
COMMENT ON COLUMN runs.label IS 'Name of the model for readers';
COMMENT ON COLUMN runs.vendor IS 'Who makes the model';
COMMENT ON COLUMN runs.provider IS 'How the model was reached';
COMMENT ON COLUMN runs.api_model IS 'Name of the model in the provider''s interface';
COMMENT ON COLUMN runs.suite IS 'Suite of the corpus';
COMMENT ON COLUMN runs.corpus_version IS 'Version of the corpus';
COMMENT ON COLUMN runs.corpus_sha256 IS 'Digest of the corpus';
COMMENT ON COLUMN runs.current_corpus IS 'Whether that is the digest of the active corpus';
COMMENT ON COLUMN runs.prompt_version IS 'Version of the prompt';
COMMENT ON COLUMN runs.prompt_sha256 IS 'Digest of the prompt''s fixed wording';
COMMENT ON COLUMN runs.status IS 'running, interrupted, completed or completed_with_errors; what a published result says may be another word';
COMMENT ON COLUMN runs.full_coverage IS 'Whether the rows completed are all rows of the corpus and no others; for another corpus, known for published results only, by their number';
COMMENT ON COLUMN runs.rows_in_corpus IS 'Rows of the run''s corpus; of another than the active one, what a published result says, NULL for a local run';
COMMENT ON COLUMN runs.rows_selected IS 'Rows that the run was asked to do';
COMMENT ON COLUMN runs.rows_completed IS 'Rows with a result, errors included';
COMMENT ON COLUMN runs.damaged_lines IS 'Terminated lines that are no records, repeat a published row, or are about rows that the corpus does not have; they are left out';
COMMENT ON COLUMN runs.created_at IS 'When the run began';
COMMENT ON COLUMN runs.completed_at IS 'When its last row was done';
COMMENT ON COLUMN runs.published_at IS 'When it was published; NULL for a local run';
COMMENT ON COLUMN runs.git_commit IS 'Commit of the last execution';
COMMENT ON COLUMN runs.git_dirty IS 'Whether there were uncommitted changes then';
COMMENT ON COLUMN runs.harness_version IS 'Version of the harness that made the run';
COMMENT ON COLUMN runs.analysis_version IS 'Version of the analysis that the figures belong to; of a published result, the one it was published with';

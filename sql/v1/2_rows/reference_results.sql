-- Grain: a published result that says something about rows. Unit: none. Full results on the active corpus; baselines are
-- left out, since a row that chance misses is not hard, unless there is nothing else. A result whose provider is unknown
-- counts as a model's. Source: `runs`.
CREATE VIEW reference_results AS
SELECT run_id
FROM runs
WHERE source = 'published' AND current_corpus AND full_coverage
QUALIFY provider IS DISTINCT FROM 'baseline' OR bool_and(provider IS NOT DISTINCT FROM 'baseline') OVER ();

COMMENT ON VIEW reference_results IS 'The published results from which something is said about rows: the full ones on the active corpus, without the baselines where there are others; key: run_id';
COMMENT ON COLUMN reference_results.run_id IS 'The result';

-- Grain: a full published result on the active corpus. Unit: group numbers, from 1. Among the results of one suite and
-- prompt, in the order of leaderboard.rank, a group is a longest run of neighbours among whom no pair is told apart: no
-- p_holm < 0.05 in pair_tests. Two results that share a group are never told apart, and no group lies within another.
-- Groups are counted from the best one. A result's groups are neighbours, so that first and last name all of them; letters
-- a, b, ... in a table are drawn from these numbers (first 2, last 3: "bc").
-- With d(i) the first later place that is told apart from place i (one beyond the last where there is none), a run that
-- begins at place i ends one before the least d(k), k >= i; it is a group if the run from place i - 1 ends earlier.
-- Two results can share no group though they are not told apart: when others between them are. Source: Piepho, "An
-- algorithm for a letter-based representation of all-pairwise comparisons", Journal of Computational and Graphical
-- Statistics 13 (2004), restricted to neighbours in one order.
CREATE VIEW tied_groups AS
WITH places AS MATERIALIZED (
  SELECT
    r.run_id,
    r.suite,
    r.prompt_version,
    r.prompt_sha256,
    row_number() OVER (
      PARTITION BY r.suite, r.prompt_version, r.prompt_sha256 ORDER BY a.accuracy DESC, r.model_id ASC, r.run_id ASC
    ) AS place,
    count(*) OVER (PARTITION BY r.suite, r.prompt_version, r.prompt_sha256) AS places
  FROM runs AS r
  JOIN accuracy_overall AS a ON a.run_id = r.run_id
  WHERE r.source = 'published' AND r.current_corpus AND r.full_coverage
),
apart AS (
  SELECT
    CASE WHEN a.place < b.place THEN a.run_id ELSE b.run_id END AS run_id,
    min(greatest(a.place, b.place)) AS place
  FROM pair_tests(NULL, NULL) AS t
  JOIN places AS a ON a.run_id = t.run_a
  JOIN places AS b ON b.run_id = t.run_b
  WHERE t.p_holm < 0.05
  GROUP BY 1
),
reaching AS (
  SELECT
    p.*,
    min(coalesce(d.place, p.places + 1)) OVER (
      PARTITION BY p.suite, p.prompt_version, p.prompt_sha256 ORDER BY p.place DESC ROWS UNBOUNDED PRECEDING
    ) - 1 AS reach
  FROM places AS p
  LEFT JOIN apart AS d ON d.run_id = p.run_id
),
begun AS (
  SELECT
    *,
    coalesce(reach > lag(reach) OVER (PARTITION BY suite, prompt_version, prompt_sha256 ORDER BY place ASC), TRUE) AS begins
  FROM reaching
),
-- The last place of every group, as the place of the result that stands there.
ends AS (
  SELECT p.run_id
  FROM begun AS b
  JOIN places AS p
    ON p.suite IS NOT DISTINCT FROM b.suite
    AND p.prompt_version IS NOT DISTINCT FROM b.prompt_version
    AND p.prompt_sha256 IS NOT DISTINCT FROM b.prompt_sha256
    AND p.place = b.reach
  WHERE b.begins
),
numbered AS (
  SELECT
    b.run_id,
    count(e.run_id) OVER before_it AS ended,
    count(*) FILTER (WHERE b.begins) OVER up_to_it AS begun
  FROM begun AS b
  LEFT JOIN ends AS e ON e.run_id = b.run_id
  WINDOW
    before_it AS (
      PARTITION BY b.suite, b.prompt_version, b.prompt_sha256 ORDER BY b.place ASC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
    ),
    up_to_it AS (
      PARTITION BY b.suite, b.prompt_version, b.prompt_sha256 ORDER BY b.place ASC ROWS UNBOUNDED PRECEDING
    )
)
SELECT run_id, (ended + 1)::BIGINT AS first_group, begun::BIGINT AS last_group
FROM numbered;

COMMENT ON VIEW tied_groups IS 'Groups of neighbouring results that the data do not tell apart (p_holm), among the full published results on the active corpus with one prompt; key: run_id';
COMMENT ON COLUMN tied_groups.run_id IS 'The result';
COMMENT ON COLUMN tied_groups.first_group IS 'The first group that the result is in; 1 is the group of the best';
COMMENT ON COLUMN tied_groups.last_group IS 'The last group that it is in; it is in all between them too';

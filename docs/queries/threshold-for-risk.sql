-- From which confidence on can answers be taken without a look, if 5 % of them may be wrong?
-- The threshold that accepts most rows at a risk of at most 5 %. It was chosen on the rows that it is judged by, so expect a
-- little more risk on new ones.
SELECT
  run_id,
  round(arg_max(threshold, (coverage, threshold)), 4) AS threshold,
  round(max(coverage), 4) AS coverage,
  round(arg_max(risk, (coverage, threshold)), 4) AS risk
FROM risk_coverage
WHERE risk <= 0.05
GROUP BY run_id
ORDER BY coverage DESC, run_id;

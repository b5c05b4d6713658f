-- Why did rows end without a valid answer?
-- Rows by run and status. Many 429 or transport_error say something about the server, not about the model.
PIVOT (SELECT run_id, status FROM answers WHERE NOT is_valid)
ON status USING count(*)
ORDER BY run_id;

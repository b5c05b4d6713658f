-- Grain: a row of the active corpus. Unit: none. Source: `cases.jsonl` and its manifest, checked when they are loaded.
CREATE VIEW corpus_rows AS
SELECT
  row_id,
  task,
  task_name,
  category,
  category_name,
  source_kind,
  dataset,
  modality,
  title,
  gold,
  options,
  option_count,
  gold_position
FROM ledger.corpus_rows;

COMMENT ON VIEW corpus_rows IS 'The rows of the active corpus; key: row_id';
COMMENT ON COLUMN corpus_rows.row_id IS 'The row''s stable id';
COMMENT ON COLUMN corpus_rows.task IS 'Id of the task';
COMMENT ON COLUMN corpus_rows.task_name IS 'Name of the task for readers';
COMMENT ON COLUMN corpus_rows.category IS 'Id of the category';
COMMENT ON COLUMN corpus_rows.category_name IS 'Name of the category for readers';
COMMENT ON COLUMN corpus_rows.source_kind IS 'How the row came to be, e.g. real records or written';
COMMENT ON COLUMN corpus_rows.dataset IS 'The data set that the row was taken from';
COMMENT ON COLUMN corpus_rows.modality IS 'text or image';
COMMENT ON COLUMN corpus_rows.title IS 'Title for readers; never shown to a model';
COMMENT ON COLUMN corpus_rows.gold IS 'Label of the right option';
COMMENT ON COLUMN corpus_rows.options IS 'The options in the order in which a model sees them';
COMMENT ON COLUMN corpus_rows.option_count IS 'How many options the row has';
COMMENT ON COLUMN corpus_rows.gold_position IS 'Place of the right option among the options, from 1';

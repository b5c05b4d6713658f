-- Grain: a row of the active corpus. Unit: none. What a reader of a row is shown beside corpus_rows, most of it long; a
-- model sees state, instructions and images. Source: `cases.jsonl`, checked when it is loaded.
CREATE VIEW corpus_texts AS
SELECT
  row_id,
  state,
  ask,
  instructions,
  rationale,
  note,
  summary,
  source,
  license,
  provenance,
  tags,
  images
FROM ledger.corpus_texts;

COMMENT ON VIEW corpus_texts IS 'The texts of the rows of the active corpus; key: row_id';
COMMENT ON COLUMN corpus_texts.row_id IS 'The row''s stable id';
COMMENT ON COLUMN corpus_texts.state IS 'What the question is about: a text as it is, an object as JSON text, in its order';
COMMENT ON COLUMN corpus_texts.ask IS 'The question for readers; NULL where the row has none';
COMMENT ON COLUMN corpus_texts.instructions IS 'The question as a model sees it';
COMMENT ON COLUMN corpus_texts.rationale IS 'Why the right option is right; never shown to a model';
COMMENT ON COLUMN corpus_texts.note IS 'A note for readers';
COMMENT ON COLUMN corpus_texts.summary IS 'The row in short, for readers';
COMMENT ON COLUMN corpus_texts.source IS 'Where the row was taken from, as JSON text';
COMMENT ON COLUMN corpus_texts.license IS 'License of the source; NULL when it names none';
COMMENT ON COLUMN corpus_texts.provenance IS 'How the row was made of its source';
COMMENT ON COLUMN corpus_texts.tags IS 'Tags of the row';
COMMENT ON COLUMN corpus_texts.images IS 'Its pictures in the order in which a model sees them, with paths below the folder of the corpus';

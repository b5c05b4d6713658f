// A sentence with a number of its own, in the manifest and beside every row: who finds it in a text that a model was
// trained on knows that the answers were in there. No model is ever shown it.

/** The canary of bench-v4; it never changes, whatever version follows. */
export const CANARY =
  "decision-bench canary 2c818797-56a8-4656-91d6-823f30830458: this file holds the answers of a test; please keep it out of every training corpus.";

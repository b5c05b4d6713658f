// Facts about documents: handwritten digits, patterns of printed dates, names of countries by language.
import { type Extraction, type Fact, sample } from "./extraction.ts";

const DIGITS = "usr/lib/python3/dist-packages/sklearn/datasets/data/digits.csv.gz";

export const handwrittenDigits: Extraction = {
  id: "sklearn-digits",
  title: "Optical recognition of handwritten digits",
  registry: "debian",
  package: "python3-sklearn",
  version: "1.2.1+dfsg-1",
  license: "BSD-3-Clause",
  files: [DIGITS],
  attribution:
    "E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits, UCI Machine Learning Repository; packaged with " +
    "scikit-learn (BSD-3-Clause).",
  rights: "The data set is published by the UCI Machine Learning Repository under CC BY 4.0.",
  taken: "For a sample of the digits, the 64 grey values and the label.",
  async extract(unpacked) {
    const facts = unpacked
      .gunzipped(DIGITS)
      .trim()
      .split("\n")
      .map((record, index): Fact => {
        const values = record.split(",").map((value) => value.padStart(2, "0"));
        return {
          id: String(index + 1).padStart(4, "0"),
          rows: Array.from({ length: 8 }, (_, row) => values.slice(row * 8, row * 8 + 8).join(" ")),
          digit: Number(values[64]),
        };
      });
    return { "handwritten-digits.jsonl": sample(facts, 500) };
  },
};

// Records of studies of people's choices, without anything that says who they are.
import type { Extraction, Fact } from "./extraction.ts";

const MODES = ["air", "train", "bus", "car"] as const;

const MODE_FILE = "usr/lib/python3/dist-packages/statsmodels/datasets/modechoice/modechoice.csv";

export const travelModes: Extraction = {
  id: "modechoice",
  title: "Travel mode choice between Australian cities",
  registry: "debian",
  package: "python3-statsmodels",
  version: "0.13.5+dfsg-7",
  license: "BSD-3-Clause",
  files: [MODE_FILE],
  attribution:
    "William H. Greene and David A. Hensher, intercity mode choice study of 1987; in statsmodels (BSD-3).",
  rights: "The data set's own module says that it is in the public domain",
  taken:
    "For each of the 210 anonymous travellers, cost, travel time and generalised cost of four offers, household income, " +
    "size of the party and the offer chosen. No waiting times: those of the chosen offer were asked, the others estimated.",
  async extract(unpacked) {
    const [heading = "", ...lines] = unpacked.text(MODE_FILE).trim().split(/\r?\n/);
    const expected = "individual;mode;choice;ttme;invc;invt;gc;hinc;psize";
    if (heading !== expected) throw new Error(`modechoice.csv begins with ${heading}, expected ${expected}`);
    const travellers = new Map<string, number[][]>();
    for (const line of lines) {
      const [id = "", ...rest] = line.split(";");
      travellers.set(id, [...(travellers.get(id) ?? []), rest.map(Number)]);
    }
    const facts = [...travellers].map(([id, rows]): Fact => {
      const chosen = rows.filter(([, choice]) => choice === 1).map(([mode = 0]) => MODES[mode - 1]);
      if (rows.length !== MODES.length || chosen.length !== 1)
        throw new Error(`traveller ${id} is incomplete`);
      return {
        id: id.padStart(3, "0"),
        income: rows[0]?.[6] ?? null,
        party: rows[0]?.[7] ?? null,
        offers: new Map(
          rows.map(([mode = 0, , , cost = 0, minutes = 0, generalised = 0]) => [
            MODES[mode - 1] ?? "",
            [cost, minutes, generalised],
          ]),
        ),
        chosen: chosen[0] ?? null,
      };
    });
    return { "travel-modes.jsonl": facts };
  },
};

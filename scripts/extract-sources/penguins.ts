// Facts about birds that were measured one by one.
import type { Extraction, Fact } from "./extraction.ts";
import { VEGA } from "./records.ts";

export const penguins: Extraction = {
  ...VEGA,
  id: "vega-penguins",
  title: "Palmer penguins",
  files: ["data/penguins.json"],
  attribution: "Vega, vega-datasets (BSD-3-Clause); K. Gorman, Palmer Station LTER (palmerpenguins).",
  rights: "The data set is published as palmerpenguins under CC0 1.0.",
  taken: "For each bird, its species and four measurements.",
  async extract(unpacked) {
    const birds = unpacked.json("data/penguins.json") as Record<string, string | number | null>[];
    return {
      "penguins.jsonl": birds.flatMap((bird, index): Fact[] => {
        const length = bird["Beak Length (mm)"];
        if (typeof length !== "number") return [];
        return [
          {
            id: String(index + 1).padStart(3, "0"),
            species: bird.Species ?? null,
            bill_length_mm: length,
            bill_depth_mm: bird["Beak Depth (mm)"] ?? null,
            flipper_length_mm: bird["Flipper Length (mm)"] ?? null,
            body_mass_g: bird["Body Mass (g)"] ?? null,
          },
        ];
      }),
    };
  },
};

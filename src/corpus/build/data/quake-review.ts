// Whether an analyst has reviewed an earthquake's solution or it is still the automatic one.
import { z } from "zod";
import type { Candidate, Features, Task } from "../task.ts";

const quakeSchema = z.strictObject({
  id: z.string(),
  network: z.string(),
  magnitude: z.number(),
  magnitude_type: z.string(),
  depth_km: z.number(),
  stations: z.number().nullable(),
  gap_degrees: z.number().nullable(),
  nearest_station_degrees: z.number().nullable(),
  rms_seconds: z.number().nullable(),
  products: z.array(z.string()),
  updated_after_minutes: z.number(),
  status: z.enum(["automatic", "reviewed"]),
});

const stateSchema = quakeSchema.pick({
  magnitude: true,
  depth_km: true,
  stations: true,
  gap_degrees: true,
  nearest_station_degrees: true,
  rms_seconds: true,
  updated_after_minutes: true,
});

export const quakeReview: Task = {
  id: "DAT-6",
  name: "Review of an earthquake record",
  shape: "verify",
  ask: "Was this earthquake record reviewed by an analyst?",
  instruction:
    "Seismic networks publish an earthquake within minutes as computers located it; an analyst may review it later, and " +
    "usually corrects phases, location and magnitude before it is published anew. The state gives one record of a " +
    "regional network as it stood: magnitude, depth, number of stations, largest gap between stations as seen from the " +
    "epicentre, distance of the nearest station, residual of the travel times, and the minutes from the event to the last " +
    "update; null means that the network does not give the figure. An update can also be a machine's. Records were drawn " +
    "so that both kinds are equally frequent in each network. Choose the more likely status.",
  modality: "text",
  options: [
    ["analyst", "A person checked the solution"],
    ["machine", "No one has checked it so far"],
  ],
  listed: false,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["vega-earthquakes"],
  rows: 24,
  decision: {
    by: "neighbours",
    features: (state): Features => stateSchema.parse(state),
    says: "all figures of the state",
  },
  chosen:
    "Earthquakes of the networks of Alaska, Southern and Northern California whose last update came 10 to 1,000 minutes after " +
    "the event: beyond that, time alone tells. Balanced over network and status, so that the network says nothing.",
  changed:
    "Network, place, time, type of magnitude and kinds of products are left out; the status is hidden.",
  candidates(facts) {
    return facts.read("earthquakes.jsonl", quakeSchema).flatMap((quake): Candidate[] => {
      const { id, network, status, products: _products, magnitude_type: _type, ...figures } = quake;
      if (figures.updated_after_minutes < 10 || figures.updated_after_minutes > 1_000) return [];
      const gold = status === "reviewed" ? "analyst" : "machine";
      return [
        {
          key: id,
          recordId: id,
          stratum: `${network}/${gold}`,
          title: "An earthquake record",
          state: { ...figures },
          gold,
          rationale: `The record has the status ${status}.`,
          difficulty: "medium",
          originalLabel: status,
        },
      ];
    });
  },
};

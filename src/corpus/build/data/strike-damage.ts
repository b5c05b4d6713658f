// How much damage a bird strike did to an aircraft, from what was hit, when and how fast.
import { z } from "zod";
import type { Candidate, Features, Options, Task } from "../task.ts";

const strikeSchema = z.strictObject({
  id: z.string(),
  month: z.string(),
  aircraft: z.string(),
  phase: z.string(),
  time: z.string(),
  size: z.string(),
  species: z.string(),
  speed: z.number(),
  damage: z.enum(["None", "Minor", "Substantial"]),
});

const stateSchema = z.object({
  aircraft: z.string(),
  phase_of_flight: z.string(),
  time_of_day: z.string(),
  animal: z.object({ size: z.string(), species: z.string() }),
  airspeed_knots: z.number(),
});

const DAMAGE: Options = [
  ["no-damage", "The aircraft was not harmed in any way"],
  ["minor-damage", "Repaired simply, without long inspection"],
  ["substantial-damage", "Strength or flight impaired; major repair"],
];
const LABELS = { None: "no-damage", Minor: "minor-damage", Substantial: "substantial-damage" } as const;

export const strikeDamage: Task = {
  id: "DAT-5",
  name: "Damage of a bird strike",
  shape: "triage",
  ask: "What damage did this bird strike do to the aircraft?",
  instruction:
    "An aviation authority files reports of aircraft that struck a bird or another animal. The state gives one report: " +
    "its month, the aircraft, the phase of flight, the indicated airspeed, the time of day, and the size and species of the animal. The " +
    "degree of damage is hidden. Reports were drawn so that each of the three degrees is equally frequent, although most " +
    "real strikes do none. The energy of a strike grows with the animal's mass and with the square of the speed; small " +
    "aircraft and engines that take in a bird suffer more. Choose the most likely degree: minor is damage that simple " +
    "repairs or replacements mend without an extensive inspection, substantial is damage that impairs structural " +
    "strength, performance or flight characteristics and normally needs a major repair.",
  modality: "text",
  options: DAMAGE,
  listed: false,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["vega-birdstrikes"],
  rows: 30,
  perGroup: 3,
  decision: {
    by: "neighbours",
    features: (state): Features => {
      const strike = stateSchema.parse(state);
      return {
        speed: strike.airspeed_knots,
        size: strike.animal.size,
        phase: strike.phase_of_flight,
        time: strike.time_of_day,
        species: strike.animal.species,
        make: strike.aircraft.replace(/-?\d.*$/, ""),
      };
    },
    says: "Speed, size and species of the animal, phase of flight, time of day, make of the aircraft. A prediction: the state makes the answer likely, and nobody could be right every time.",
  },
  chosen:
    "Reports with a speed, an aircraft and a species. The degree that the source calls Medium is left out, since the reporting " +
    "form has no such degree. Balanced over the three degrees, at most three rows a type of aircraft.",
  changed: "Operators, places, days and costs are left out; the degree of damage is hidden.",
  candidates(facts) {
    return facts.read("bird-strikes.jsonl", strikeSchema).map((strike): Candidate => {
      const gold = LABELS[strike.damage];
      return {
        key: strike.id,
        recordId: `line ${Number(strike.id) + 1}`,
        stratum: gold,
        group: strike.aircraft,
        title: "Report of a strike",
        state: {
          month: strike.month,
          aircraft: strike.aircraft,
          phase_of_flight: strike.phase,
          time_of_day: strike.time,
          airspeed_knots: strike.speed,
          animal: { size: strike.size, species: strike.species },
        },
        gold,
        rationale: `The report states the degree of damage ${strike.damage}.`,
        difficulty: "hard",
        originalLabel: strike.damage,
      };
    });
  },
};

// Local time in cities that people know, by the offsets that the facts hold for certain moments.
import { z } from "zod";
import type { FactStore } from "./sources.ts";

const zoneSchema = z.strictObject({
  id: z.string(),
  city: z.string(),
  country: z.string(),
  offsets: z.record(z.string(), z.number()),
});
/** A time zone: minutes that its clocks are ahead of UTC, by moment. */
export type Zone = z.infer<typeof zoneSchema>;

/**
 * Cities that people know, as the zones are named after them; the other zones stay in the facts. Havana,
 * Winnipeg and a few others are none of them: versions of the time zone data disagree on their clocks in late 2026.
 */
const CITIES: Readonly<Record<string, string>> = {
  Europe:
    "London Dublin Lisbon Madrid Paris Brussels Amsterdam Berlin Rome Vienna Zurich Prague " +
    "Warsaw Budapest Athens Helsinki Stockholm Oslo Copenhagen Bucharest Sofia Istanbul Moscow Kyiv Belgrade",
  Africa: "Cairo Johannesburg Nairobi Lagos Accra Algiers Tunis Dakar Addis_Ababa",
  Asia:
    "Dubai Riyadh Jerusalem Baghdad Karachi Kolkata Kathmandu Dhaka Bangkok Jakarta Singapore " +
    "Kuala_Lumpur Manila Hong_Kong Shanghai Taipei Seoul Tokyo Yangon Colombo Tashkent Tbilisi",
  America:
    "New_York Chicago Denver Phoenix Los_Angeles Toronto Halifax St_Johns Regina Mexico_City " +
    "Panama Bogota Lima Santiago Sao_Paulo Montevideo Caracas La_Paz Guatemala Anchorage",
  Pacific: "Honolulu Auckland",
  Australia: "Sydney Melbourne Brisbane Adelaide Darwin Perth",
};

/** Every zone of the facts. */
export function zonesOf(facts: FactStore): readonly Zone[] {
  return facts.read("time-zones.jsonl", zoneSchema);
}

/** The zones of cities that people know. */
export function knownZones(facts: FactStore): readonly Zone[] {
  const known = new Set(
    Object.entries(CITIES).flatMap(([area, cities]) => cities.split(" ").map((city) => `${area}/${city}`)),
  );
  return zonesOf(facts).filter(({ id }) => known.has(id));
}

export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Weekday (0 is Sunday) and minutes since local midnight. */
export function localTime(instant: string, offsetMinutes: number): { day: number; minutes: number } {
  const local = new Date(Date.parse(instant) + offsetMinutes * 60_000);
  return { day: local.getUTCDay(), minutes: local.getUTCHours() * 60 + local.getUTCMinutes() };
}

/** Minutes since midnight as people write them. */
export const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;

// Which support desk is in working hours at a moment: time zones, summer time and weekends.
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Task } from "../task.ts";
import { clock, DAYS, knownZones, localTime, type Zone, zonesOf } from "../zones.ts";

const LABELS = ["desk-1", "desk-2", "desk-3", "desk-4"] as const;
const NONE = "none-open";

/** The state as a model is shown it. */
interface ShownState {
  readonly ticket_at_utc: string;
  readonly desks: readonly {
    readonly desk: string;
    readonly city: string;
    readonly country: string;
    readonly opens: string;
    readonly closes: string;
  }[];
}

interface Desk {
  readonly zone: Zone;
  readonly opens: number;
  readonly closes: number;
}

/** Whether a desk that works Monday to Friday from `opens` to `closes` (hours) is staffed. */
export function isStaffed(
  hours: { opens: number; closes: number },
  instant: string,
  offsetMinutes: number,
): boolean {
  const { day, minutes } = localTime(instant, offsetMinutes);
  return day >= 1 && day <= 5 && minutes >= hours.opens * 60 && minutes < hours.closes * 60;
}

const open = (desk: Desk, instant: string, shift = 0): boolean =>
  isStaffed(desk, instant, (desk.zone.offsets[instant] ?? 0) + shift);

function composeDesks(zones: readonly Zone[], instant: string, place: number, random: Random): Desk[] | null {
  const desks: Desk[] = [];
  const used = new Set<number>();
  for (let index = 0; index < LABELS.length; index += 1) {
    const choices: Desk[] = [];
    for (const zone of random.shuffle(zones)) {
      const opens = random.pick([7, 8, 9, 10]);
      const desk = { zone, opens, closes: opens + 8 };
      const offset = zone.offsets[instant] ?? 0;
      // Close to opening or closing time: an hour off in the offset would change the answer.
      const near =
        open(desk, instant) !== open(desk, instant, 60) || open(desk, instant) !== open(desk, instant, -60);
      if (open(desk, instant) === (index === place) && near && !used.has(offset)) choices.push(desk);
      if (choices.length > 0) break;
    }
    const [desk] = choices;
    if (desk === undefined) return null;
    used.add(desk.zone.offsets[instant] ?? 0);
    desks.push(desk);
  }
  return desks;
}

export const staffedDesk: Task = {
  id: "SUP-5",
  name: "Staffed support desk",
  shape: "route",
  ask: "Which support desk is staffed at this moment?",
  instruction:
    "An urgent ticket arrives at the UTC moment in the state. Each desk works Monday to Friday, local time of its city, " +
    "from the opening time (included) to the closing time (excluded); public holidays are ignored. Work out the local " +
    "weekday and time in each city on that date, with summer time where it is in force then, and choose the one desk " +
    "that is staffed, or none-open if all are closed.",
  modality: "text",
  options: [
    ...LABELS.map((label) => [label, `Hand the ticket to desk number ${label.slice(-1)}`] as const),
    [NONE, "Keep it waiting: all four are closed"],
  ],
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["moment-timezone"],
  rows: 24,
  chosen:
    "Desks in 84 well-known cities. For 24 moments of 2026 (half of them in weeks in which only some countries have changed their clocks or on the " +
    "edge of a weekend) and every answer, four desks at different offsets, each within an hour of opening or closing. " +
    "Balanced over four desks and none.",
  changed:
    "Cities and offsets are the source's; the moments are picked and the working hours composed by this project.",
  decision: {
    by: "rule",
    says: "The one desk that works at its local time, by the offsets of the time zone data.",
    decide(state, _, { facts }) {
      const { ticket_at_utc: instant, desks } = state as ShownState;
      const zones = zonesOf(facts);
      const staffed = desks.filter(({ city, country, opens, closes }) => {
        const zone = zones.find((one) => one.city === city && one.country === country);
        const hours = { opens: Number.parseInt(opens, 10), closes: Number.parseInt(closes, 10) };
        return isStaffed(hours, instant, zone?.offsets[instant] ?? Number.NaN);
      });
      return staffed.length > 1 ? null : (staffed[0]?.desk ?? NONE);
    },
  },
  candidates(facts) {
    const zones = knownZones(facts);
    const instants = Object.keys(zones[0]?.offsets ?? {}).sort();
    const candidates: Candidate[] = [];
    for (const instant of instants) {
      for (let place = 0; place <= LABELS.length; place += 1) {
        const random = randomFrom(`SUP-5/${instant}/${place}`);
        const desks = composeDesks(zones, instant, place, random);
        if (desks === null) continue;
        const gold = LABELS[place] ?? NONE;
        const local = desks.map((desk, index) => {
          const { day, minutes } = localTime(instant, desk.zone.offsets[instant] ?? 0);
          return `${LABELS[index]} ${DAYS[day]} ${clock(minutes)}`;
        });
        candidates.push({
          key: `${instant}#${gold}`,
          recordId: desks.map((desk) => desk.zone.id).join("; "),
          stratum: gold,
          group: instant,
          title: `Ticket at ${instant.slice(0, 16)} UTC`,
          state: {
            ticket_at_utc: instant,
            weekday_utc: DAYS[new Date(instant).getUTCDay()],
            desks: desks.map((desk, index) => ({
              desk: LABELS[index],
              city: desk.zone.city,
              country: desk.zone.country,
              opens: clock(desk.opens * 60),
              closes: clock(desk.closes * 60),
            })),
          },
          gold,
          rationale: `Local times: ${local.join(", ")}.`,
          difficulty: "hard",
          originalLabel: desks
            .map((desk) => `${desk.zone.id} ${desk.zone.offsets[instant] ?? 0} min`)
            .join("; "),
        });
      }
    }
    return candidates;
  },
};

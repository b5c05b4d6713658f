// Which of the proposed times suits everybody who is asked to a meeting: time zones, summer time and weekends.
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Task } from "../task.ts";
import { clock, DAYS, knownZones, localTime, type Zone, zonesOf } from "../zones.ts";

const SLOTS = ["slot-1", "slot-2", "slot-3", "slot-4"] as const;
const NONE = "no-slot";
const MEETING = 60;
const HALF_HOUR = 30;
/** A slot that misses somebody's working hours by so many minutes at most tempts. */
const NEAR = 120;

/**
 * Slots lie within so many half hours of a moment whose offsets the facts hold. No city of the list puts its clocks
 * forward or back that near to one of the moments.
 */
const REACH = 20;

/** What a model is shown. */
interface ShownState {
  readonly attendees: readonly {
    readonly city: string;
    readonly country: string;
    readonly works_from: string;
    readonly works_until: string;
  }[];
  readonly slots: readonly { readonly slot: string; readonly starts_at_utc: string }[];
}

interface Hours {
  /** Minutes since local midnight. */
  readonly from: number;
  readonly until: number;
}

interface Attendee extends Hours {
  readonly zone: Zone;
}

/** Whether a meeting of an hour that starts then lies in somebody's working hours, Monday to Friday. */
export function suits({ from, until }: Hours, start: string, offsetMinutes: number): boolean {
  const { day, minutes } = localTime(start, offsetMinutes);
  return day >= 1 && day <= 5 && minutes >= from && minutes + MEETING <= until;
}

const later = (instant: string, minutes: number): string =>
  new Date(Date.parse(instant) + minutes * 60_000).toISOString().replace(".000Z", "Z");

function composeAttendees(zones: readonly Zone[], instant: string, random: Random): Attendee[] {
  const offsets = new Set<number>();
  const attendees: Attendee[] = [];
  for (const zone of random.shuffle(zones)) {
    const offset = zone.offsets[instant] ?? 0;
    const all = [...offsets, offset];
    // People further apart have no working hour in common.
    if (offsets.has(offset) || Math.max(...all) - Math.min(...all) > 480) continue;
    offsets.add(offset);
    const from = random.pick([420, 450, 480, 510, 540, 570, 600]);
    attendees.push({ zone, from, until: from + random.pick([480, 510, 540]) });
    if (attendees.length === 4) break;
  }
  return attendees;
}

/** Slots that suit everybody but would not if a clock were an hour off, and slots that just miss one working day. */
function tempting(attendees: readonly Attendee[], instant: string): { good: string[]; near: string[] } {
  const good: string[] = [];
  const near: string[] = [];
  for (let step = -REACH; step <= REACH; step += 1) {
    const start = later(instant, step * HALF_HOUR);
    const missing = attendees.filter((one) => !suits(one, start, one.zone.offsets[instant] ?? 0));
    const shifted = (one: Attendee, minutes: number): boolean =>
      suits(one, start, (one.zone.offsets[instant] ?? 0) + minutes);
    if (missing.length === 0) {
      if (attendees.some((one) => !shifted(one, 60) || !shifted(one, -60))) good.push(start);
    } else if (missing.length === 1) {
      const [one] = missing as [Attendee];
      if (shifted(one, NEAR) || shifted(one, -NEAR)) near.push(start);
    }
  }
  return { good, near };
}

function compose(
  zones: readonly Zone[],
  instant: string,
  place: number,
  random: Random,
): { attendees: readonly Attendee[]; slots: readonly string[] } | null {
  // A slot that suits is the earliest, second, third or latest of the four equally often.
  const before = random.integer(SLOTS.length);
  for (let draw = 0; draw < 400; draw += 1) {
    const attendees = composeAttendees(zones, instant, random);
    const { good, near } = tempting(attendees, instant);
    // The same people may be asked whether or not a slot suits them: who they are says nothing about the answer.
    if (attendees.length < 4 || good.length === 0) continue;
    const hit = random.pick(good);
    const earlier = random.shuffle(near.filter((start) => start < hit)).slice(0, before);
    const wanted = SLOTS.length - (place < SLOTS.length ? 1 : 0) - before;
    const after = random.shuffle(near.filter((start) => start > hit)).slice(0, wanted);
    if (earlier.length < before || after.length < wanted) continue;
    const misses = random.shuffle([...earlier, ...after]);
    if (place < SLOTS.length) misses.splice(place, 0, hit);
    return { attendees, slots: misses };
  }
  return null;
}

const minutesOf = (time: string): number => {
  const [hours = Number.NaN, minutes = Number.NaN] = time.split(":").map(Number);
  return hours * 60 + minutes;
};

const localText = (start: string, { zone }: Attendee, instant: string): string => {
  const { day, minutes } = localTime(start, zone.offsets[instant] ?? 0);
  return `${zone.city} ${DAYS[day]} ${clock(minutes)}`;
};

function rationaleOf(attendees: readonly Attendee[], slots: readonly string[], instant: string): string {
  const texts = slots.map((start, index) => {
    const missing = attendees.filter((one) => !suits(one, start, one.zone.offsets[instant] ?? 0));
    return missing.length === 0
      ? `${SLOTS[index]} suits everybody`
      : `${SLOTS[index]} would start in ${missing.map((one) => localText(start, one, instant)).join(" and ")}`;
  });
  return `${texts.join("; ")}.`;
}

export const meetingSlot: Task = {
  id: "DOC-7",
  name: "Meeting across time zones",
  shape: "decide",
  ask: "Which proposed slot suits everybody who is asked to come?",
  instruction:
    "A meeting of 60 minutes is to be held by telephone. Each attendee in the state works Monday to Friday, local time of " +
    "the city, from works_from until works_until; public holidays are ignored. A slot suits an attendee if the whole " +
    "meeting lies in working hours: it starts at works_from or later and ends at works_until or earlier, on a working " +
    "day there. Work out the local weekday and time in each city on that date, with summer time where it is in force " +
    "then. Choose the one slot that suits all attendees, or no-slot if none of the four does.",
  modality: "text",
  options: [
    ...SLOTS.map((label) => [label, `Send the invitation for slot number ${label.slice(-1)}`] as const),
    [NONE, "Ask for other times: none of them suits all"],
  ],
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["moment-timezone"],
  rows: 30,
  perGroup: 2,
  chosen:
    "Attendees in 84 well-known cities. Around 24 moments of 2026 (half of them in weeks in which only some countries have changed " +
    "their clocks or on the edge of a weekend) and for every answer, four people at different offsets who have a working " +
    "hour in common, and four slots. One slot suits all of them, or none; each of the others misses the working hours of " +
    "one person by two hours at most. Balanced over four slots and none.",
  changed:
    "Cities and offsets are the source's; the moments are picked, and working hours and slots composed by this project.",
  decision: {
    by: "rule",
    says: "The one slot in the working hours of all attendees, by the offsets of the time zone data.",
    decide(state, _, { facts }) {
      const { attendees, slots } = state as unknown as ShownState;
      const zones = zonesOf(facts);
      const hours = attendees.map(({ city, country, works_from, works_until }) => ({
        zone: zones.find((one) => one.city === city && one.country === country),
        from: minutesOf(works_from),
        until: minutesOf(works_until),
      }));
      const instants = Object.keys(zones[0]?.offsets ?? {});
      const fits = slots.filter(({ starts_at_utc: start }) => {
        const near = (instant: string): boolean =>
          Math.abs(Date.parse(instant) - Date.parse(start)) <= REACH * HALF_HOUR * 60_000;
        const instant = instants.find(near) ?? "";
        return hours.every((one) => suits(one, start, one.zone?.offsets[instant] ?? Number.NaN));
      });
      return fits.length > 1 ? null : (fits[0]?.slot ?? NONE);
    },
  },
  candidates(facts) {
    const zones = knownZones(facts);
    const instants = Object.keys(zones[0]?.offsets ?? {}).sort();
    const candidates: Candidate[] = [];
    for (const instant of instants) {
      for (let place = 0; place <= SLOTS.length; place += 1) {
        const gold = SLOTS[place] ?? NONE;
        const composed = compose(zones, instant, place, randomFrom(`DOC-7/${instant}/${gold}`));
        if (composed === null) continue;
        const { attendees, slots } = composed;
        candidates.push({
          key: `${instant}#${gold}`,
          recordId: attendees.map(({ zone }) => zone.id).join("; "),
          stratum: gold,
          group: instant,
          title: `Meeting around ${instant.slice(0, 10)}`,
          state: {
            attendees: attendees.map(({ zone, from, until }) => ({
              city: zone.city,
              country: zone.country,
              works_from: clock(from),
              works_until: clock(until),
            })),
            slots: slots.map((start, index) => ({
              slot: SLOTS[index],
              starts_at_utc: start,
              weekday_utc: DAYS[new Date(start).getUTCDay()],
            })),
          },
          gold,
          rationale: rationaleOf(attendees, slots, instant),
          difficulty: "hard",
          originalLabel: attendees
            .map(({ zone }) => `${zone.id} ${zone.offsets[instant] ?? 0} min`)
            .join("; "),
        });
      }
    }
    return candidates;
  },
};

// Which support phase a customer's release line will be in when a fix can be delivered.
import { z } from "zod";
import { compareCodePoints } from "../../../answers/canonical.ts";
import { randomFrom } from "../../random.ts";
import { addDays } from "../dates.ts";
import type { Candidate, Options, Task } from "../task.ts";
import { type ReleaseLine, scheduleChart } from "./schedule-chart.ts";

const lineSchema = z.strictObject({
  id: z.string().regex(/^v\d+$/),
  start: z.string(),
  lts: z.string().nullable(),
  maintenance: z.string(),
  end: z.string(),
});

const PHASES: Options = [
  ["current", "New features and every kind of fix go in"],
  ["active-lts", "Long-term line: all tested bug fixes go in"],
  ["maintenance", "Only critical and security fixes go in"],
  ["end-of-life", "Nothing goes in: they have to upgrade"],
];

/** Lines shown with the customer's own, on either side. */
const NEIGHBOURS = 2;
/** Days from the ticket to the delivery of a fix. */
const LEAD_DAYS = [10, 21, 30, 45, 60, 75, 90];

/** The phase of a line on `day`, which is not before its start; the last day of support is still supported. */
export function supportPhase(line: ReleaseLine, day: string): string {
  if (day > line.end) return "end-of-life";
  if (day >= line.maintenance) return "maintenance";
  return line.lts !== null && day >= line.lts ? "active-lts" : "current";
}

const stateSchema = z.object({
  ticket_date: z.string(),
  days_to_delivery: z.number(),
  customer_line: z.string(),
  schedule: z.array(
    z.object({
      line: z.string(),
      released: z.string(),
      long_term_from: z.string().nullable(),
      critical_only_from: z.string(),
      last_day: z.string(),
    }),
  ),
});

export const releaseSupport: Task = {
  id: "SUP-3",
  name: "Support phase of a customer's version",
  shape: "verify",
  ask: "In which phase is the customer's line when the fix arrives?",
  instruction:
    "A customer reports a fault in a release line of a runtime. A fix can be delivered days_to_delivery calendar days " +
    "after ticket_date (ticket_date plus that many days). The picture and the state show the support schedule of the " +
    "line and its neighbours. A line is current from the day it is released; active-lts from the day long_term_from, " +
    "where it has one; in maintenance from the day critical_only_from (each of these days included); and still " +
    "supported on its last_day, but end-of-life from the next day on. Choose the phase of the customer's line on the " +
    "day of delivery.",
  modality: "image",
  options: PHASES,
  listed: false,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["node-releases"],
  rows: 24,
  perGroup: 2,
  chosen:
    "Lines from v4 on that have two neighbours on either side. For every line and phase several tickets whose day of " +
    "delivery is within four weeks of the first day of that phase or, more rarely, of its last. " +
    "Balanced over the four phases, at most two rows per line.",
  changed:
    "The schedule is the source's; ticket day and time to delivery are chosen by this project, which also drew the chart.",
  decision: {
    by: "rule",
    says: "The phase of the customer's line on the ticket's day plus the days to delivery, from the dates of the state.",
    decide(state) {
      const { schedule, ...ticket } = stateSchema.parse(state);
      const found = schedule.find(({ line }) => line === ticket.customer_line);
      if (found === undefined) return null;
      return supportPhase(
        {
          id: found.line,
          start: found.released,
          lts: found.long_term_from,
          maintenance: found.critical_only_from,
          end: found.last_day,
        },
        addDays(ticket.ticket_date, ticket.days_to_delivery),
      );
    },
  },
  candidates(facts) {
    const number = (line: ReleaseLine): number => Number(line.id.slice(1));
    const lines = facts.read("release-schedule.jsonl", lineSchema).toSorted((a, b) => number(a) - number(b));
    const candidates: Candidate[] = [];
    for (const [index, line] of lines.entries()) {
      const shown = lines.slice(Math.max(0, index - NEIGHBOURS), index + NEIGHBOURS + 1);
      if (shown.length < 2 * NEIGHBOURS + 1) continue;
      for (const { phase, first, last } of phasesOf(line)) {
        for (let draw = 0; draw < 4; draw += 1) {
          const random = randomFrom(`SUP-3/${line.id}/${phase}/${draw}`);
          const near = random.integer(28);
          const delivery = random.chance(0.75) ? addDays(first, near) : addDays(last, -near);
          const lead = random.pick(LEAD_DAYS);
          const ticket = addDays(delivery, -lead);
          if (ticket < line.start || supportPhase(line, delivery) !== phase) continue;
          candidates.push({
            key: `${line.id}#${phase}#${draw}`,
            recordId: line.id,
            stratum: phase,
            group: line.id,
            title: `Ticket of ${ticket} for ${line.id}`,
            state: {
              ticket_date: ticket,
              days_to_delivery: lead,
              customer_line: line.id,
              schedule: shown.map((entry) => ({
                line: entry.id,
                released: entry.start,
                long_term_from: entry.lts,
                critical_only_from: entry.maintenance,
                last_day: entry.end,
              })),
            },
            picture: () => scheduleChart(shown, line.id, ticket, lead),
            gold: phase,
            rationale: `The fix arrives on ${delivery}; ${line.id} is in this phase from ${first}${phase === "end-of-life" ? "" : ` to ${last}`}.`,
            difficulty: supportPhase(line, ticket) === phase ? "easy" : "medium",
            originalLabel: `start ${line.start}, LTS ${line.lts ?? "none"}, maintenance ${line.maintenance}, end ${line.end}`,
          });
        }
      }
    }
    return candidates.toSorted((a, b) => compareCodePoints(a.key, b.key));
  },
};

/** First and last day of every phase that the line has; the phase after its end is taken as four weeks long. */
function phasesOf(line: ReleaseLine): { phase: string; first: string; last: string }[] {
  const { start, lts, maintenance, end } = line;
  return [
    { phase: "current", first: start, last: addDays(lts ?? maintenance, -1) },
    ...(lts === null ? [] : [{ phase: "active-lts", first: lts, last: addDays(maintenance, -1) }]),
    { phase: "maintenance", first: maintenance, last: end },
    { phase: "end-of-life", first: addDays(end, 1), last: addDays(end, 28) },
  ];
}

// Which event a webhook payload belongs to, from the structure of the payload alone.
import { z } from "zod";
import { drawingOrder } from "../selection.ts";
import type { Candidate, Options, Task } from "../task.ts";

const objectSchema = z.strictObject({
  keys: z.array(z.string()),
  flags: z.record(z.string(), z.boolean()),
  lists: z.record(z.string(), z.number()),
  empty: z.array(z.string()),
});
const payloadSchema = z.strictObject({
  id: z.string(),
  event: z.string(),
  action: z.string().nullable(),
  objects: z.record(z.string(), objectSchema),
});

const HANDLERS: Options = [
  ["check_run", "One check on a commit was created, rerun or finished"],
  ["check_suite", "A group of checks on a commit was asked for or finished"],
  ["issue_comment", "A remark under an issue or pull request conversation changed"],
  ["issues", "An issue was opened, edited, sorted, closed or moved"],
  ["pull_request", "A pull request was opened, changed, sorted or closed"],
  ["pull_request_review", "A verdict on a pull request was handed in or dismissed"],
  ["pull_request_review_comment", "A remark on a line of a diff was made or changed"],
  ["workflow_job", "One job of an automation was queued, started or finished"],
];

/** Key names that would say the answer: those that share a word with an event name. */
const TELLING = /(check|suite|run|issue|comment|pull|review|workflow|job)/;

export const eventHandler: Task = {
  id: "AGT-4",
  name: "Event handler",
  shape: "route",
  ask: "Which event handler should get this webhook payload?",
  instruction:
    "A code host has posted a webhook payload whose event name was lost; only its structure is known. The state gives " +
    "the action and, for each object at the top level besides sender and repository, some field names, which fields " +
    "are empty, the flags and the number of entries of lists. edits_listed tells whether the payload says what was " +
    "changed. Names of the objects and every field name that shares a " +
    "word with an event name are left out. Choose the handler for the event that this payload belongs to.",
  modality: "text",
  options: HANDLERS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["octokit-webhooks-examples"],
  rows: 24,
  decision: {
    by: "rule",
    decide,
    says: "Rule of thumb, written with the rows in view: the first field that only objects of one event have.",
  },
  perGroup: 1,
  chosen:
    "All example payloads of eight event types; one row per event and action (reviews: per example), since examples of " +
    "one action are alike. Balanced over the eight types.",
  changed:
    "Only structure is kept: field names, flags, list lengths and empty fields; names that give the event away are " +
    "left out, and at most fourteen field names of an object are shown.",
  candidates(facts) {
    const labels = new Set(HANDLERS.map(([label]) => label));
    return facts
      .read("webhook-payloads.jsonl", payloadSchema)
      .filter((payload) => labels.has(payload.event))
      .map((payload) => {
        const objects = Object.entries(payload.objects)
          .filter(([name]) => name !== "changes")
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([, shape]) => {
            const safe = shape.keys.filter(
              (key) => !TELLING.test(key) && !/url|_links|^id$|node_id/.test(key),
            );
            const fields = drawingOrder(safe, (key) => `AGT-4/${payload.id}/${key}`)
              .slice(0, 14)
              .sort();
            const shown = new Set(fields);
            return {
              fields,
              empty: shape.empty.filter((key) => shown.has(key)).sort(),
              flags: pickShown(shape.flags, shown),
              list_lengths: pickShown(shape.lists, shown),
            };
          });
        const count = objects.length === 1 ? "one object" : `${objects.length} objects`;
        return {
          key: payload.id,
          recordId: payload.id,
          stratum: payload.event,
          // The source has only two actions for this event; for the others, one row an action.
          group:
            payload.event === "pull_request_review" ? payload.id : `${payload.event}/${payload.action ?? ""}`,
          title: `Payload with action ${payload.action ?? "none"} and ${count}`,
          state: { action: payload.action, edits_listed: "changes" in payload.objects, objects },
          gold: payload.event,
          rationale: `The source files this payload under ${payload.event}; the fields are those of that event's objects.`,
          difficulty: /check|comment|review/.test(payload.event) ? "medium" : "easy",
          originalLabel: payload.event,
        } satisfies Candidate;
      });
  },
};

const shownSchema = z.object({ objects: z.array(z.object({ fields: z.array(z.string()) })) });

/** Fields that give an event away, the more particular ones first: a remark comes together with what it is about. */
const SIGNS: readonly (readonly [label: string, fields: RegExp])[] = [
  ["workflow_job", /^(steps|runner_name|runner_group_name)$/],
  ["check_run", /^(output|external_id)$/],
  ["check_suite", /^(before|after)$/],
  ["pull_request_review_comment", /^(diff_hunk|original_position|original_line)$/],
  ["pull_request_review", /^submitted_at$/],
  ["pull_request", /^(merged|merged_at|merged_by|mergeable|base|head|additions|requested_teams)$/],
];
/** A remark has these; an issue has labels besides. */
const REMARK = /^(author_association|body|reactions)$/;

function decide(state: unknown): string {
  const { objects } = shownSchema.parse(state);
  const fields = objects.flatMap((object) => object.fields);
  const sign = SIGNS.find(([, names]) => fields.some((field) => names.test(field)));
  if (sign !== undefined) return sign[0];
  const remarks = objects.filter((object) => object.fields.filter((field) => REMARK.test(field)).length > 1);
  return remarks.length > 1 ? "issue_comment" : "issues";
}

function pickShown<T extends boolean | number>(
  values: Readonly<Record<string, T>>,
  shown: ReadonlySet<string>,
): Map<string, T> {
  return new Map(
    Object.entries(values)
      .filter(([key]) => shown.has(key))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

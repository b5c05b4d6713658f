// Whether a message is spam, ordinary mail or a wanted mailing, from counts over its headers and its body.
import { z } from "zod";
import type { Candidate, Options, Task } from "../task.ts";

const count = z.number().int().nonnegative();
const messageSchema = z.strictObject({
  id: z.string(),
  folder: z.enum(["easy-ham", "hard-ham", "spam"]),
  sender: z.number().int().positive(),
  content_type: z.string().nullable(),
  list_headers: z.boolean(),
  unsubscribe_header: z.boolean(),
  reply_to: z.boolean(),
  mailer: z.boolean(),
  priority: z.boolean(),
  characters: count,
  lines: count,
  quoted_lines: count,
  links: count,
  link_hosts: count,
  images: count,
  form_fields: count,
  html_tags: count,
  exclamation_marks: count,
  dollar_signs: count,
  capitals_percent: z.number().min(0).max(100),
  removal_words: count,
});

const LABELS = { "easy-ham": "ordinary", "hard-ham": "bulk", spam: "spam" } as const;

const PILES: Options = [
  ["spam", "Block it: promotion that nobody asked for"],
  ["ordinary", "Deliver it: person to person, or a list post"],
  ["bulk", "File it apart: a mailing its reader signed up to"],
];

const stateSchema = z.object({
  headers: z.object({
    content_type: z.string(),
    mailing_list_software: z.boolean(),
    list_unsubscribe: z.boolean(),
    reply_to: z.boolean(),
    names_its_mailer: z.boolean(),
    sets_a_priority: z.boolean(),
  }),
  body: z.record(z.string(), z.number()),
});

export const mailSorting: Task = {
  id: "TNS-4",
  name: "Pile for an incoming message",
  shape: "detect",
  ask: "Which pile does this message belong to?",
  instruction:
    "A mail filter of about 2002 sorts messages that are not replies. Only counts are known: which headers are there, " +
    "and what the raw body (with its markup and all of its parts) holds. Spam is promotion sent without being asked " +
    "for, often short, loud, with one place to click. Ordinary mail is wanted and does not look like promotion: a " +
    "person's message, a post to a discussion list, a plain notice. Bulk mail is wanted too, but looks like promotion: " +
    "newsletters, news services and shop mailings that the reader signed up to, often long, with many links to many " +
    "pages. removal_words counts the words unsubscribe and remove; link_hosts counts different hosts among the links. " +
    "Choose the pile into which people sorted this message.",
  modality: "text",
  options: PILES,
  listed: false,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["spam-assassin"],
  rows: 24,
  perGroup: 1,
  chosen:
    "Messages that open a conversation and whose body is not in base64, at most four of a class from one sending domain, " +
    "of which at most one becomes a row. Balanced over the three piles.",
  changed:
    "Only the presence of headers and counts over the body were taken: no text, subject, name, address or path of delivery.",
  decision: {
    by: "neighbours",
    says: "Headers that are there, content type, and all counts over the body with those per thousand characters. A prediction: the state makes the answer likely, and nobody could be right every time.",
    features(state) {
      const { headers, body } = stateSchema.parse(state);
      const characters = Math.max(1, body.characters ?? 0);
      return {
        ...headers,
        ...body,
        links_per_character: (body.links ?? 0) / characters,
        marks_per_character: (body.exclamation_marks ?? 0) / characters,
      };
    },
  },
  candidates(facts) {
    return facts.read("sorted-mail.jsonl", messageSchema).map((message): Candidate => {
      const { id, folder, sender, content_type, ...rest } = message;
      const { list_headers, unsubscribe_header, reply_to, mailer, priority, ...body } = rest;
      const gold = LABELS[folder];
      return {
        key: id,
        recordId: id,
        stratum: gold,
        group: String(sender),
        title: `Message of ${body.characters} characters in ${body.lines} lines`,
        state: {
          headers: {
            content_type: content_type ?? "not given",
            mailing_list_software: list_headers,
            list_unsubscribe: unsubscribe_header,
            reply_to,
            names_its_mailer: mailer,
            sets_a_priority: priority,
          },
          body,
        },
        gold,
        rationale:
          `People sorted it into the folder ${folder} of the collection. Links: ${body.links}; hosts among them: ` +
          `${body.link_hosts}; exclamation marks: ${body.exclamation_marks}; capitals: ${body.capitals_percent} %.`,
        difficulty: "hard",
        originalLabel: folder,
      };
    });
  },
};

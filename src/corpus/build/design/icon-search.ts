// Which icon a designer's search terms belong to, from the names of six icons that are found by terms in common.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import type { FactStore } from "../sources.ts";
import { groupBy } from "../statistics.ts";
import type { Candidate, Difficulty, Task } from "../task.ts";

const iconSchema = z.strictObject({ id: z.string(), tags: z.array(z.string()) });
type Icon = z.infer<typeof iconSchema>;

/** Terms shown at most; and those of them that no other option carries at least. */
const SHOWN = 6;
const OWN = 3;
/** Terms that at least one other option carries, too, at least. */
const SHARED = 2;
const OTHERS = 5;
/** A term of more icons than this says next to nothing about one of them. */
const COMMON = 30;

/** Of its terms another option carries so many at most. */
const MOST_SHARED = 3;

/** Marks, arrows and letters: what they stand for depends on where they are used. */
const ABSTRACT =
  /\d|arrow|chevron|corner|square|circle|align|list|text|layout|panel|move|grid|rectangle|diff|line/;
/** Variants of another icon by a small mark: most of their terms are that icon's. */
const VARIANT =
  /-(off|plus|minus|x|check|alert|down|up|cog|sync|slash|dot|ellipsis|left|right|user|search|lock|heart|pen|key|clock|warning|horizontal|vertical)$/;

/** Terms that fit another option as well, though the set does not give them to it. */
const UNCLEAR: ReadonlySet<string> = new Set([
  "asterisk",
  "blocks",
  "file-sliders",
  "flame",
  "graph-hub",
  "hdmi-port",
  "iv-bag",
]);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? [];

/** True where two words begin alike, as a word and its plural do. */
function alike(one: string, two: string): boolean {
  const shorter = Math.min(one.length, two.length);
  if (shorter < 3) return one === two;
  const head = Math.min(shorter, 4);
  return one.slice(0, head) === two.slice(0, head) || one.includes(two) || two.includes(one);
}

const touches = (term: string, name: string): boolean =>
  wordsOf(term).some((word) => wordsOf(name).some((part) => alike(word, part)));

const sameFamily = (one: string, two: string): boolean =>
  wordsOf(one).some((word) => wordsOf(two).includes(word));

/** Five icons that share terms with this one and no word of a name; null where there are too few. */
function others(icon: Icon, pool: readonly Icon[]): Icon[] | null {
  const shared = (other: Icon): number => other.tags.filter((tag) => icon.tags.includes(tag)).length;
  const near = randomFrom(`DES-5/${icon.id}`)
    .shuffle(pool)
    .filter((other) => !touches(other.id, icon.id) && shared(other) > 0 && shared(other) <= MOST_SHARED)
    .sort((a, b) => shared(b) - shared(a));
  const chosen: Icon[] = [];
  for (const other of near) {
    if (chosen.some(({ id }) => touches(id, other.id))) continue;
    chosen.push(other);
    if (chosen.length === OTHERS) return chosen;
  }
  return null;
}

/** By how many of the terms shown the nearest of the others carries, too. */
function difficultyOf(terms: readonly string[], chosen: readonly Icon[]): Difficulty {
  const nearest = Math.max(...chosen.map(({ tags }) => terms.filter((term) => tags.includes(term)).length));
  if (nearest >= MOST_SHARED) return "hard";
  return nearest > 1 ? "medium" : "easy";
}

const shownSchema = z.object({ search_terms: z.array(z.string()) });

/** How often icons that share a word of the name, itself left out, are found by these terms. */
function familiarity(name: string, terms: readonly string[], icons: readonly Icon[]): number {
  const family = icons.filter(({ id }) => id !== name && sameFamily(id, name));
  if (family.length === 0) return 0;
  const found = family.map(({ tags }) => terms.filter((term) => tags.includes(term)).length);
  return Math.max(...found) + found.reduce((sum, count) => sum + count, 0) / family.length;
}

function decide(state: unknown, options: ReadonlyMap<string, string>, facts: FactStore): string | null {
  const { search_terms } = shownSchema.parse(state);
  const icons = facts.read("icon-tags.jsonl", iconSchema);
  return (
    [...options.keys()]
      .map((name) => ({ name, score: familiarity(name, search_terms, icons) }))
      .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))[0]?.name ?? null
  );
}

export const iconSearch: Task = {
  id: "DES-5",
  name: "Icon for search terms",
  shape: "select",
  ask: "Which of the six icons do these search terms belong to?",
  instruction:
    "A designer looks for an icon in an open icon set, in which every icon has a name and is found by search terms. " +
    "The state lists terms of one icon. Terms say what the drawing shows, what it stands for, and in which products it " +
    `is used. Each of the options is the name of an icon of the set; each of the other five carries at most ${MOST_SHARED} of the icon's terms. ` +
    "Choose the icon which the terms, taken together, were written for.",
  modality: "text",
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["lucide-static"],
  rows: 30,
  perGroup: 1,
  chosen:
    "Icons whose name is one or two words and means a thing, no variants by a small mark; seven whose terms fit another option as well are left out. The five others are those which share most " +
    `terms with it, from one to ${MOST_SHARED}; no two of the ` +
    `six share a word. Shown are up to ${SHOWN} terms that have no word in common with any of the six names, at least ${OWN} of them ` +
    "carried by none of the others, those of most icons first. One row per first word of a name.",
  changed: `Names and terms are the source's; terms of more than ${COMMON} icons are left out, the name is hidden.`,
  decision: {
    by: "rule",
    says: "A rule of thumb: the option whose namesakes (icons that share a word of its name, itself left out) are found by most of the terms; the label itself is recorded.",
    decide: (state, options, { facts }) => decide(state, options, facts),
  },
  candidates(facts) {
    const icons = facts.read("icon-tags.jsonl", iconSchema);
    const carriers = groupBy(
      icons.flatMap(({ tags }) => tags),
      (tag) => tag,
    );
    const width = (tag: string): number => carriers.get(tag)?.length ?? 0;
    const pool = icons.filter(
      ({ id }) =>
        wordsOf(id).length <= 2 &&
        !ABSTRACT.test(id) &&
        !VARIANT.test(id) &&
        icons.some((other) => other.id !== id && sameFamily(other.id, id)),
    );
    return pool.flatMap((icon): Candidate[] => {
      if (UNCLEAR.has(icon.id)) return [];
      const chosen = others(icon, pool);
      if (chosen === null) return [];
      const names = [icon, ...chosen].map(({ id }) => id);
      const telling = icon.tags.filter(
        (tag) => width(tag) <= COMMON && !names.some((name) => touches(tag, name)),
      );
      const isOwn = (tag: string): boolean => !chosen.some(({ tags }) => tags.includes(tag));
      // The ones of many icons first: a term of this icon alone would decide by itself.
      const own = telling.filter(isOwn).sort((a, b) => width(b) - width(a));
      const shared = telling.filter((tag) => !isOwn(tag));
      if (own.length < OWN || shared.length < SHARED) return [];
      const terms = [...shared.slice(0, SHOWN - OWN), ...own].slice(0, SHOWN).sort();
      return [
        {
          key: icon.id,
          recordId: names.join("; "),
          stratum: "icons",
          group: wordsOf(icon.id)[0] ?? icon.id,
          title: "Search terms of one icon",
          state: { search_terms: terms },
          options: randomFrom(`DES-5/options/${icon.id}`)
            .shuffle(names)
            .map((name) => [name, `The icon named ${name.replaceAll("-", " ")}`] as const),
          gold: icon.id,
          rationale: `All ${terms.length} terms are tags of ${icon.id}; none of the others has ${own
            .filter((tag) => terms.includes(tag))
            .join(", ")}.`,
          difficulty: difficultyOf(terms, chosen),
          originalLabel: icon.id,
        },
      ];
    });
  },
};

// Published results with something wrong in them: a changed figure is found, a field that nobody knows is let pass, and what
// `validate` accepts after any change has figures that follow from its lines, counted here again.
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { test } from "vitest";
import { problemText } from "../../src/publish/problem.ts";
import { type ValidationReport, validateFolders } from "../../src/publish/validate.ts";
import { Warehouse } from "../../src/warehouse/warehouse.ts";
import { openWorkspace } from "../../src/workspace.ts";
import { type Copy, type Loose, makeCopies } from "../support/copies.ts";
import { FILES } from "./documents.ts";
import { beginning, fuzz, product, said, type Verdict } from "./fuzz.ts";
import { documentLike, linesLike } from "./mutations.ts";
import { isObject, jsonOf, linesOf, own, type Plain, textOf } from "./opinions.ts";

const MODELS = ["alpha", "bravo", "charlie", "delta", "echo-label-only", "foxtrot-partial"];
const DOCUMENTS = ["metadata.json", "scores.json", "predictions.jsonl"] as const;

/** One change of one result. */
interface Change {
  readonly model: string;
  readonly file: (typeof DOCUMENTS)[number];
  /** `figure` must be found, `field` must be let pass, `any` may be either. */
  readonly kind: "figure" | "field" | "any";
  /** Which place, as a share. */
  readonly at: number;
  readonly line: number;
  /** What stands in the file instead, for `any`. */
  readonly bytes: Buffer | null;
}

/** Places in a document, with what stands there. */
function placesIn(
  value: unknown,
  is: (value: unknown, path: string) => boolean,
  path = "",
): { holder: Loose; key: string | number; path: string }[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const here = `${path}.${Array.isArray(value) ? "#" : key}`;
    const found = is(item, here) ? [{ holder: value, key, path: here }] : [];
    return [...found, ...placesIn(item, is, here)];
  });
}

/** Figures that follow from the lines, the corpus or one another. What only the provider or the clock knows is none. */
function isFigure(file: string, value: unknown, path: string): boolean {
  if (typeof value !== "number") return false;
  if (file === "scores.json") return true;
  if (file === "metadata.json") return /^\.(?:totals|coverage|schema_version)/.test(path);
  return !path.startsWith(".attempts.#.duration_ms");
}

/** Another number: by one, or by a millionth. */
const off = (value: number): number => (Number.isInteger(value) ? value + 1 : value * (1 + 1e-6));

/** Makes the change; says what was changed, null when there is no such place. */
function apply(copy: Copy, { file, kind, at, line, bytes }: Change): string | null {
  if (bytes !== null) {
    copy.after((folder) => writeFileSync(join(folder, file), bytes));
    return `${file} ${beginning(bytes, 3000)}`;
  }
  const number = line % copy.lines.length;
  const document: Loose =
    file === "metadata.json" ? copy.metadata : file === "scores.json" ? copy.scores : copy.lines[number];
  const places =
    kind === "figure"
      ? placesIn(document, (value, path) => isFigure(file, value, path))
      : // The labels of probabilities are no names of fields, and a platform may say what it likes.
        [
          { holder: { document }, key: "document", path: "" },
          ...placesIn(document, (value, path) => isObject(value) && !path.endsWith(".probabilities")),
        ];
  const place = places[Math.floor(at * places.length)];
  if (place === undefined) return null;
  if (kind === "figure") place.holder[place.key] = off(place.holder[place.key]);
  else place.holder[place.key].noted_by_nobody = line % 2 === 0 ? "a note" : { count: 1, list: [null] };
  return `${file}:${number + 1}: ${kind} at ${place.path}`;
}

/** The files of one result, each line and document as text. */
function textsOf(copies: ReturnType<typeof makeCopies>): Map<string, Record<string, string[]>> {
  const texts = new Map<string, Record<string, string[]>>();
  for (const model of MODELS) {
    copies.add("sample", model, () => {});
    const read = (file: string): string => readFileSync(join(copies.results, "sample", file), "utf8");
    texts.set(model, {
      "metadata.json": [read("metadata.json")],
      "scores.json": [read("scores.json")],
      "predictions.jsonl": read("predictions.jsonl").trimEnd().split("\n"),
    });
    rmSync(join(copies.results, "sample"), { recursive: true });
  }
  return texts;
}

function changeOf(texts: ReadonlyMap<string, Record<string, string[]>>): fc.Arbitrary<Change> {
  const place = {
    model: fc.constantFrom(...MODELS),
    file: fc.constantFrom(...DOCUMENTS),
    at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    line: fc.nat(1000),
  };
  const known = fc.record({
    ...place,
    kind: fc.constantFrom("figure" as const, "field" as const),
    bytes: fc.constant(null),
  });
  const any = fc.record(place).chain((one) => {
    const sound = texts.get(one.model)?.[one.file] ?? [];
    const bytes = one.file === "predictions.jsonl" ? linesLike(sound, sound.length) : documentLike(sound);
    return bytes.map((changed): Change => ({ ...one, kind: "any", bytes: changed }));
  });
  return fc.oneof<fc.Arbitrary<Change>[]>(known, any);
}

/** Whether scores and totals say what the lines come to; everything is read anew from the bytes. */
function follows(folder: string): boolean {
  const document = (file: string): unknown => jsonOf(textOf(readFileSync(join(folder, file))) ?? "")?.value;
  const scores = document("scores.json");
  const metadata = document("metadata.json");
  const lines = linesOf(readFileSync(join(folder, "predictions.jsonl"))).map(({ bytes, ended }) =>
    ended ? jsonOf(textOf(bytes) ?? "")?.value : undefined,
  );
  if (lines.some((line) => !isObject(line))) return false;
  const right = (line: unknown): boolean =>
    own(line, "status") === "ok" && own(line, "answer") !== null && own(line, "answer") === own(line, "gold");
  if (lines.some((line) => own(line, "correct") !== right(line))) return false;
  const agrees = (group: unknown, own_: readonly unknown[]): boolean => {
    const correct = own_.filter(right).length;
    return (
      own(group, "rows") === own_.length &&
      own(group, "correct") === correct &&
      Math.abs((own(group, "accuracy") as number) - correct / own_.length) <= 1e-9
    );
  };
  const groups = (list: string, name: string): boolean =>
    (own(scores, list) as Plain[]).every((group) =>
      agrees(
        group,
        lines.filter((line) => own(line, name) === own(group, "id")),
      ),
    );
  const totals = own(metadata, "totals");
  const overall = own(scores, "overall");
  const errors = lines.filter((line) => own(line, "status") !== "ok").length;
  return (
    agrees(overall, lines) &&
    groups("by_task", "task") &&
    groups("by_category", "category") &&
    own(overall, "errors") === errors &&
    own(totals, "errors") === errors &&
    own(totals, "correct") === own(overall, "correct") &&
    new Set(lines.map((line) => own(line, "row_id"))).size === lines.length
  );
}

/** Results that are looked at together: opening a database for each would take most of the time. */
const TOGETHER = 10;

test("a changed figure is found, an unknown field is let pass, and what is accepted follows from its lines", async () => {
  const copies = makeCopies();
  const workspace = openWorkspace({ root: copies.root, cwd: copies.root, env: {} });
  const change = changeOf(textsOf(copies));
  const nasty = DOCUMENTS.flatMap((file) =>
    FILES.map(({ make }): Change => ({ model: "alpha", file, kind: "any", at: 0, line: 0, bytes: make() })),
  );
  const groups = Array.from({ length: Math.ceil(nasty.length / TOGETHER) }, (_, at) =>
    nasty.slice(at * TOGETHER, (at + 1) * TOGETHER),
  );
  await fuzz<readonly Change[]>({
    name: "published results",
    documents: groups,
    generated: fc.array(change, { minLength: TOGETHER, maxLength: TOGETHER }),
    short: 1,
    long: 60,
    describe: (changes) =>
      JSON.stringify(
        changes.map(({ bytes, ...rest }) => ({
          ...rest,
          bytes: bytes === null ? null : beginning(bytes, 100),
        })),
      ),
    limitMs: 1000 * TOGETHER,
    async run(changes): Promise<Verdict[]> {
      const words = changes.map((one, at) => copies.add(`copy-${at}`, one.model, (copy) => apply(copy, one)));
      try {
        const report = await product(() => validateFolders(workspace, { suite: "oracle-1" }));
        const verdicts = changes.map((one, at) =>
          judged(one, words[at] ?? null, at, report, join(copies.results, `copy-${at}`)),
        );
        await views();
        return verdicts;
      } finally {
        rmSync(copies.results, { recursive: true, force: true });
      }
    },
  });

  /** The views read the same folders, and leave out what they cannot. */
  async function views(): Promise<void> {
    const notices: string[] = [];
    const notify = (message: string): void => void notices.push(message);
    const warehouse = await product(() => Warehouse.open(workspace, { notify, figuresOnly: true }));
    try {
      await warehouse.rows("SELECT count(*) AS n FROM answers");
    } finally {
      warehouse.close();
    }
    said([...notices, "-"]);
  }
});

function judged(
  { kind }: Change,
  words: string | null,
  at: number,
  report: ValidationReport,
  folder: string,
): Verdict {
  const own_ = report.problems.filter(({ file }) => file.includes(`/copy-${at}/`));
  const told = own_.map(problemText);
  if (words === null) return "accepted";
  if (kind === "figure" && own_.length === 0) throw new Error(`not found: ${words}`);
  if (kind === "field" && own_.length > 0) throw new Error(`refused: ${words}: ${told.slice(0, 3)}`);
  if (own_.length > 0) return said(told);
  if (!follows(folder)) throw new Error(`accepted nonsense: ${words}`);
  return "accepted";
}

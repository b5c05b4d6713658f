// Goes over a person's file and makes the rows of a corpus of it, one by one. Nothing is kept but what the rows come to
// together, so a large file is no large memory; to write the corpus the same way is gone a second time.
import { CanonicalError } from "../../answers/canonical.ts";
import { isJsonObject, type Json, type JsonObject, stringifyJson } from "../../answers/json.ts";
import { InterruptedError } from "../../errors.ts";
import { quoted } from "../../quote.ts";
import { checkAsset } from "../assets.ts";
import { checkControls } from "../characters.ts";
import { DigestWriter } from "../digest.ts";
import { MAX_CASES_BYTES } from "../load.ts";
import { optionDealer } from "../option-order.ts";
import { type Report, readRow } from "../row.ts";
import { MOST_UNKNOWN, unknownColumn } from "./columns.ts";
import { type Picture, pictureAt } from "./pictures.ts";
import { type Format, recordsOf } from "./records.ts";
import { draftOf, rowOf } from "./row.ts";
import { type Counted, TaskBook } from "./tasks.ts";

export interface PackSource {
  /** Absolute path. */
  readonly path: string;
  /** Absolute path of its folder, in which pictures are found. */
  readonly dir: string;
  readonly format: Format;
  readonly suite: string;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
}

/** Told of a problem: the line where its record begins, the column, what is wrong. */
export type Problem = (line: number, field: string, message: string) => void;

/** Names that a picture of a full row must not have. */
const OWN_FILES = new Set(["cases.jsonl", "manifest.json"]);

/** One way through the file. */
export class Packer {
  readonly digest = new DigestWriter();
  readonly book = new TaskBook();
  /** Path in the corpus → path beside the file. */
  readonly pictures = new Map<string, string>();
  rows = 0;
  bytes = 0;
  readonly #source: PackSource;
  readonly #problem: Problem;
  readonly #ids = new Map<string, number>();
  readonly #rowsOfTask = new Map<string, number>();
  readonly #dealers = new Map<string, ReturnType<typeof optionDealer>>();
  readonly #found = new Map<string, Picture | string>();
  readonly #unknown = new Set<string>();

  constructor(source: PackSource, problem: Problem) {
    this.#source = source;
    this.#problem = problem;
  }

  /** The lines of cases.jsonl, each with its line feed. */
  async *lines(): AsyncGenerator<string, void> {
    const { path, format, signal } = this.#source;
    for await (const { line, ...read } of recordsOf(path, format)) {
      if (signal?.aborted) throw new InterruptedError("interrupted");
      if (read.message !== undefined) {
        this.#problem(line, read.field, read.message);
        continue;
      }
      let sound = true;
      const report: Report = (field, message) => {
        sound = false;
        this.#problem(line, field, message);
      };
      checkControls(read.fields, report);
      const row = read.fields.has("questions")
        ? await this.#fullRow(new Map(read.fields), line, report)
        : await this.#ownRow(read.fields, line, report);
      if (row === null || !sound) continue;
      try {
        this.digest.addLine(row);
      } catch (error) {
        if (!(error instanceof CanonicalError)) throw error;
        report("", error.message);
        continue;
      }
      this.rows += 1;
      const within = this.bytes <= MAX_CASES_BYTES;
      this.bytes += Buffer.byteLength(row) + 1;
      if (within && this.bytes > MAX_CASES_BYTES) {
        report(
          "",
          `the rows up to here are larger than ${MAX_CASES_BYTES / (1024 * 1024)} MiB: make two corpora of them`,
        );
      }
      yield `${row}\n`;
    }
  }

  async #ownRow(fields: ReadonlyMap<string, Json>, line: number, report: Report): Promise<string | null> {
    const { suite, dir } = this.#source;
    const draft = draftOf(fields, report, (name) => {
      // In JSONL a wrong name mostly stands in every row.
      if (this.#unknown.has(name) || this.#unknown.size > MOST_UNKNOWN) return;
      const all = this.#unknown.size === MOST_UNKNOWN;
      this.#problem(line, "", all ? "and more names that are no column" : unknownColumn(name));
      this.#unknown.add(name);
    });
    if (draft === null) return null;
    const number = (this.#rowsOfTask.get(draft.task) ?? 0) + 1;
    this.#rowsOfTask.set(draft.task, number);
    const id = draft.id ?? `${draft.task}-${String(number).padStart(3, "0")}`;
    this.#claim(id, line, report);
    const picture = draft.image === null ? null : await this.#picture(dir, draft.image);
    if (typeof picture === "string") {
      report(draft.imageColumn, picture);
      return null;
    }
    this.book.add({ ...draft, line, picture: picture?.sha256 ?? null }, report);
    const order = this.#order(draft.task, { rowId: id, options: draft.options.keys(), gold: draft.gold });
    return stringifyJson(rowOf(draft, { suite, id }, order, picture === null ? null : { ...picture }));
  }

  /** A row of the corpus format passes through; it gets this suite, and an order of its options if it has none. */
  async #fullRow(fields: JsonObject, line: number, report: Report): Promise<string | null> {
    const { suite, dir } = this.#source;
    fields.set("suite", suite);
    const row = readRow(fields, report);
    if (row === null) return null;
    this.#claim(row.id, line, report);
    this.#rowsOfTask.set(row.task, (this.#rowsOfTask.get(row.task) ?? 0) + 1);
    for (const asset of row.assets) {
      const wrong = OWN_FILES.has(asset.path)
        ? `${quoted(asset.path)} is the name of a file of the corpus: call the picture otherwise`
        : (await checkAsset(dir, asset))?.message;
      if (wrong === undefined) this.pictures.set(asset.path, asset.path);
      else report("assets", wrong);
    }
    const { question } = row;
    const options = new Map(question.options.map(({ label, description }) => [label, description]));
    if (!options.has(question.gold)) return null;
    const counted: Counted = {
      ...row,
      line,
      state: row.state,
      instructions: question.instructions,
      ask: question.ask,
      options,
      gold: question.gold,
      picture: row.assets.map(({ sha256 }) => sha256).join() || null,
    };
    this.book.add(counted, report);
    const [asked] = fields.get("questions") as Json[];
    if (isJsonObject(asked) && (asked.get("option_order") ?? null) === null) {
      const order = this.#order(row.task, { rowId: row.id, options: options.keys(), gold: question.gold });
      // A copy: what was read is not ours to change.
      fields.set("questions", [new Map(asked).set("option_order", order)]);
    }
    return stringifyJson(fields);
  }

  #claim(id: string, line: number, report: Report): void {
    const first = this.#ids.get(id);
    if (first !== undefined) report("id", `${quoted(id)} stands on line ${first} already`);
    else this.#ids.set(id, line);
  }

  #order(
    task: string,
    {
      rowId,
      options,
      gold,
    }: { readonly rowId: string; readonly options: Iterable<string>; readonly gold: string },
  ): string[] {
    const { suite, seed } = this.#source;
    const deal = this.#dealers.get(task) ?? optionDealer(`${seed}/${suite}/${task}`);
    this.#dealers.set(task, deal);
    // Sorted first, so that moving a column of the table moves no option.
    return deal({ rowId, labels: [...options].sort(), gold });
  }

  async #picture(dir: string, path: string): Promise<Picture | string> {
    const found = this.#found.get(path) ?? (await pictureAt(dir, path));
    this.#found.set(path, found);
    if (typeof found !== "string") this.pictures.set(found.path, path);
    return found;
  }
}

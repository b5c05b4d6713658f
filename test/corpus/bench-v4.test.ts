// Quality gates over the committed corpus: what keeps a score on it from being won by a shortcut. They are this
// project's own promise; other corpora may be as lopsided as life.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "../../src/answers/canonical.ts";
import { parseJson, stringifyJson } from "../../src/answers/json.ts";
import { CANARY } from "../../src/corpus/build/canary.ts";
import { CATEGORIES } from "../../src/corpus/build/categories.ts";
import { composeCorpus } from "../../src/corpus/build/index.ts";
import { ALLOWED_LICENSES, openSources } from "../../src/corpus/build/sources.ts";
import { binomialUpperTail, CHI_SQUARE_1_PERCENT, groupBy } from "../../src/corpus/build/statistics.ts";
import { corpusDigest } from "../../src/corpus/digest.ts";
import { publicInput } from "../../src/corpus/input.ts";
import { loadCorpus } from "../../src/corpus/load.ts";
import { rowSchema, unwrap } from "../../src/corpus/schema.ts";
import { openWorkspace, packageRoot } from "../../src/workspace.ts";

const root = packageRoot;
const dataDir = join(root, "data");
const committed = (path: string): string => readFileSync(join(dataDir, path), "utf8");

const lines = committed("corpus/bench-v4/cases.jsonl").split("\n").slice(0, -1);
const manifest = JSON.parse(committed("corpus/bench-v4/manifest.json"));

interface PlainRow {
  id: string;
  category: string;
  task: string;
  title: string;
  tags: string[];
  state: Record<string, unknown>;
  modality: string;
  assets: { path: string; sha256: string; alt: string }[];
  source: Record<string, string>;
  source_kind: string;
  provenance: string;
  questions: [
    {
      instructions: string;
      options: Record<string, string>;
      option_order: string[];
      gold: string;
      rationale: string;
      ask: string;
    },
  ];
}
const rows = lines.map((line) => JSON.parse(line) as PlainRow);
const byTask = groupBy(rows, (row) => row.task);
const tasks = CATEGORIES.flatMap((category) => category.tasks);
const gold = (row: PlainRow): string => row.questions[0].gold;
const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}%.]+/gu) ?? [];

/** True where `phrase` stands in `text` as whole words, upper or lower case. */
function holds(text: string, phrase: string): boolean {
  const needle = words(phrase).join(" ");
  return needle !== "" && ` ${words(text).join(" ")} `.includes(` ${needle} `);
}

/** Average chance of answering right when one of `picks` is taken blindly. */
const share = (row: PlainRow, picks: readonly string[]): number =>
  picks.includes(gold(row)) ? 1 / picks.length : 0;

describe("rebuilding", () => {
  test("gives exactly the committed bytes, from the committed facts and pictures alone", async () => {
    for (const [path, content] of (await composeCorpus(root)).files) {
      expect(Buffer.from(content).equals(readFileSync(join(root, path))), path).toBe(true);
    }
  });

  // Elsewhere the renderer may round otherwise; the committed pictures are the truth there.
  test.runIf(process.platform === "linux" && process.arch === "x64")(
    "draws exactly the committed pictures",
    async () => {
      for (const [path, content] of (await composeCorpus(root, true)).files) {
        expect(Buffer.from(content).equals(readFileSync(join(root, path))), path).toBe(true);
      }
    },
    120_000,
  );

  test("the manifest states the digest of the rows", () => {
    expect(corpusDigest(lines.map(parseJson))).toBe(manifest.sha256);
    expect(manifest.counts.cases).toBe(rows.length);
    expect(JSON.parse(committed("corpus/current.json")).path).toBe("data/corpus/bench-v4/cases.jsonl");
  });
});

describe("rows", () => {
  test("have the shape and the key order of the format", () => {
    const order =
      "id suite category category_name task task_name modality tags title state assets questions source source_kind provenance";
    const question = "id type instructions options option_order gold rationale ask";
    lines.forEach((line, index) => {
      const row = rows[index] as PlainRow;
      expect(Object.keys(row).join(" ")).toBe(order);
      expect(Object.keys(row.questions[0]).join(" ")).toBe(question);
      expect(rowSchema.safeParse(unwrap(parseJson(line))).success).toBe(true);
      // One spelling of every row: what the writer writes.
      expect(stringifyJson(parseJson(line))).toBe(line);
    });
  });

  test("have ids of their own, counted up within their task", () => {
    expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
    for (const [task, group] of byTask) {
      const expected = group.map((_, i) => `${task.toLowerCase()}-${String(i + 1).padStart(3, "0")}`);
      expect(group.map((row) => row.id)).toEqual(expected);
    }
  });

  test("are enough, over enough tasks and categories", () => {
    expect(rows.length).toBeGreaterThanOrEqual(1000);
    expect(byTask.size).toBeGreaterThanOrEqual(36);
    expect(new Set(rows.map((row) => row.category)).size).toBe(11);
    for (const group of byTask.values()) {
      expect(group.length).toBeGreaterThanOrEqual(20);
      expect(group.length).toBeLessThanOrEqual(36);
    }
    expect([...byTask.keys()]).toEqual(tasks.map((task) => task.id));
  });

  test("ask briefly, explain themselves and are tagged", () => {
    for (const row of rows) {
      const [question] = row.questions;
      expect(words(question.ask).length).toBeLessThanOrEqual(12);
      expect(question.rationale.length).toBeGreaterThan(10);
      expect(row.tags.map((tag) => tag.replace(/:.*/, ""))).toEqual(["difficulty", "contamination"]);
    }
  });

  test("name package, version, licence, record and original label", () => {
    const { sources } = openSources(dataDir);
    for (const row of rows) {
      const source = sources.get(row.source.dataset_id ?? "");
      expect(source).toMatchObject({
        package: row.source.package,
        version: row.source.version,
        license: row.source.license,
      });
      expect(ALLOWED_LICENSES.has(row.source.license ?? "")).toBe(true);
      for (const field of ["dataset", "record_id", "original_label"]) expect(row.source[field]).toBeTruthy();
      expect(row.provenance).toContain(row.source.record_id);
      expect(manifest.tasks[row.task].datasets).toContain(row.source.dataset_id);
    }
  });

  test("carry the canary where no model sees it", async () => {
    expect(manifest.canary).toBe(CANARY);
    const guid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(CANARY)?.[0] ?? "";
    expect(guid).not.toBe("");
    for (const row of rows) expect(row.source.canary).toBe(CANARY);
    const corpus = await loadCorpus(openWorkspace({ cwd: root, env: {}, root }));
    for (const row of corpus.rows) {
      const shown = stringifyJson(publicInput(row));
      expect(shown.includes(guid) || /canary/i.test(shown), row.id).toBe(false);
    }
  });

  test("hold nobody's address", () => {
    for (const [index, line] of lines.entries()) {
      // Addresses of mail at domains that are kept for examples belong to nobody.
      const found = [...line.matchAll(/[\w.+-]+@([\w-]+\.)+[a-z]{2,}/gi)]
        .map(([address]) => address)
        .filter((address) => !/@(.+\.)?example(\.(com|org|net))?$|\.(test|invalid)$/.test(address));
      expect(found, rows[index]?.id).toEqual([]);
    }
  });

  test("hold no state twice", () => {
    const states = rows.map((row) => canonicalJson(parseJson(JSON.stringify(row.state))));
    expect(new Set(states).size).toBe(rows.length);
  });
});

describe("pictures", () => {
  test("are the files that their rows describe, small, and described in words", () => {
    const named = new Set<string>();
    for (const row of rows) {
      const image = tasks.find((task) => task.id === row.task)?.modality === "image";
      expect(row.assets.length, row.id).toBe(image ? 1 : 0);
      expect(row.modality).toBe(image ? "image" : "text");
      for (const asset of row.assets) {
        const png = readFileSync(join(dataDir, "corpus/bench-v4", asset.path));
        expect(png.subarray(1, 4).toString(), asset.path).toBe("PNG");
        expect(png.length, asset.path).toBeLessThanOrEqual(400_000);
        expect(createHash("sha256").update(png).digest("hex"), asset.path).toBe(asset.sha256);
        expect(words(asset.alt).length, asset.path).toBeGreaterThanOrEqual(4);
        named.add(asset.path);
      }
    }
    const there = existsSync(join(dataDir, "corpus/bench-v4/images"))
      ? readdirSync(join(dataDir, "corpus/bench-v4/images")).map((name) => `images/${name}`)
      : [];
    expect(there.sort()).toEqual([...named].sort());
  });

  test("are enough, over enough tasks", () => {
    const pictured = rows.filter((row) => row.assets.length > 0);
    expect(pictured.length).toBeGreaterThanOrEqual(100);
    expect(new Set(pictured.map((row) => row.task)).size).toBeGreaterThanOrEqual(7);
    expect(tasks.some((task) => task.pictureNeeded === true)).toBe(true);
  });

  test("do not give the answer away in their text", () => {
    for (const row of rows) {
      const task = tasks.find(({ id }) => id === row.task);
      if (task?.listed === true) continue;
      for (const asset of row.assets) expect(holds(asset.alt, gold(row)), row.id).toBe(false);
    }
  });

  test("can be done without where the manifest does not say otherwise", () => {
    for (const task of tasks) {
      expect(manifest.tasks[task.id].picture_needed, task.id).toBe(task.pictureNeeded === true);
      expect(manifest.tasks[task.id].modality, task.id).toBe(task.modality);
    }
  });
});

describe("decidability", async () => {
  const built = await composeCorpus(root);
  test.each(built.tasks.map((task) => [task.task.id, task] as const))("%s", (_, { task, decidability }) => {
    expect(decidability).not.toBeNull();
    if (task.labelOrigin === "computed") {
      expect(decidability).toMatchObject({ by: "rule", right: decidability?.cases });
    }
    expect(decidability?.p).toBeLessThan(0.01);
    expect(committed("../docs/tasks.md")).toContain(
      `${decidability?.right} of ${decidability?.cases} by ${decidability?.by}`,
    );
  });

  test("the lexical baseline is near chance in every task", () => {
    for (const { task, floors, rows } of built.tasks) {
      const p = binomialUpperTail(Math.round(floors.lexical * rows.length), rows.length, floors.uniform);
      expect(floors.lexical - floors.uniform < 0.15 || p >= 0.01 / 36, `${task.id}: ${floors.lexical}`).toBe(
        true,
      );
    }
  });
});

describe("answers", () => {
  test("no option is the answer on over 60 % of a task's rows", () => {
    for (const [task, group] of byTask) {
      const most = Math.max(...[...groupBy(group, gold).values()].map((same) => same.length));
      expect(most / group.length, task).toBeLessThanOrEqual(0.6);
    }
  });

  test("every option of a fixed-option task is the answer at least once", () => {
    for (const task of tasks) {
      if (task.options === undefined) continue;
      const golds = new Set(byTask.get(task.id)?.map(gold));
      expect([...golds].sort(), task.id).toEqual(task.options.map(([label]) => label).sort());
    }
  });

  test("stand at every shown place about equally often", () => {
    const widest = Math.max(...rows.map((row) => row.questions[0].option_order.length));
    const observed = Array.from({ length: widest }, () => 0);
    const expected = Array.from({ length: widest }, () => 0);
    for (const row of rows) {
      const order = row.questions[0].option_order;
      const place = order.indexOf(gold(row));
      observed[place] = (observed[place] ?? 0) + 1;
      order.forEach((_, i) => {
        expected[i] = (expected[i] ?? 0) + 1 / order.length;
      });
    }
    const statistic = observed.reduce(
      (sum, o, i) => sum + (o - (expected[i] ?? 0)) ** 2 / (expected[i] ?? 1),
      0,
    );
    expect(statistic).toBeLessThan(CHI_SQUARE_1_PERCENT[widest - 2] ?? 0);
  });

  test("have no favourite place among the options of the file, where options are the row's own", () => {
    const own = tasks.filter((task) => task.options === undefined);
    expect(own.length).toBeGreaterThan(0);
    for (const { id } of own) {
      const group = byTask.get(id) ?? [];
      const places = groupBy(group, (row) =>
        String(Object.keys(row.questions[0].options).indexOf(gold(row))),
      );
      const most = Math.max(...[...places.values()].map((one) => one.length));
      expect(most / group.length, id).toBeLessThanOrEqual(0.6);
    }
  });

  test("do not stand in titles", () => {
    for (const row of rows) {
      const label = gold(row);
      expect(holds(row.title, label), `${row.id} label`).toBe(false);
      expect(holds(row.title, row.questions[0].options[label] ?? ""), `${row.id} description`).toBe(false);
    }
  });

  test("do not stand in states, but where the task is to find them there", () => {
    for (const task of tasks.filter(({ listed }) => !listed)) {
      for (const row of byTask.get(task.id) ?? []) {
        const state = JSON.stringify(row.state);
        const label = gold(row);
        expect(holds(state, label), `${row.id} label`).toBe(false);
        expect(holds(state, label.replace(/[-_]/g, " ")), `${row.id} label in words`).toBe(false);
        expect(holds(state, row.questions[0].options[label] ?? ""), `${row.id} description`).toBe(false);
      }
    }
  });
});

describe("shortcuts", () => {
  test.each([
    ["longest", (a: number, b: number) => b - a],
    ["shortest", (a: number, b: number) => a - b],
  ])("always choosing the %s option text is no better and no worse than chance", (_, compare) => {
    let hits = 0;
    let chance = 0;
    let variance = 0;
    for (const row of rows) {
      const { options } = row.questions[0];
      const length = (label: string): number => label.length + (options[label]?.length ?? 0);
      const best = Object.keys(options).map(length).sort(compare)[0];
      const picks = Object.keys(options).filter((label) => length(label) === best);
      const p = 1 / Object.keys(options).length;
      hits += share(row, picks);
      chance += p;
      variance += p * (1 - p);
    }
    expect(Math.abs(hits - chance)).toBeLessThan(2.576 * Math.sqrt(variance));
  });

  test("choosing the option that shares most words with the state is near chance in every task", () => {
    for (const [task, group] of byTask) {
      let hits = 0;
      let chance = 0;
      for (const row of group) {
        const { options } = row.questions[0];
        const seen = new Set(words(JSON.stringify(row.state)));
        const score = (label: string): number =>
          [...new Set(words(`${label} ${options[label]}`))].filter((word) => seen.has(word)).length;
        const scores = new Map(Object.keys(options).map((label) => [label, score(label)]));
        const best = Math.max(...scores.values());
        hits += share(
          row,
          [...scores].filter(([, s]) => s === best).map(([label]) => label),
        );
        chance += 1 / Object.keys(options).length;
      }
      const mean = chance / group.length;
      const excess = hits / group.length - mean;
      const p = binomialUpperTail(Math.floor(hits), group.length, mean);
      expect(excess < 0.15 || p >= 0.01 / 36, `${task}: ${hits.toFixed(1)} of ${group.length}`).toBe(true);
    }
  });
});

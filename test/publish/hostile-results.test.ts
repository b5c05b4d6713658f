// Published results made to hurt: whatever stands in them, it is read in bounded time and memory, and said in one line.
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { stringifyJson, type Writable } from "../../src/answers/json.ts";
import { MOST_PROBLEMS, problemText } from "../../src/publish/problem.ts";
import { readmeText } from "../../src/publish/readme.ts";
import { metadataFileSchema, scoresFileSchema } from "../../src/publish/schema.ts";
import { type ValidationReport, validateFolders, validateWorkspace } from "../../src/publish/validate.ts";
import { allFiles } from "../support/bench.ts";
import { bench } from "../support/commands.ts";
import { type Loose, makeCopies } from "../support/copies.ts";
import { finished, makeWorkspace, result, started, type TestWorkspace, TINY } from "../support/workspace.ts";

const validate = ({ workspace }: TestWorkspace): Promise<ValidationReport> => validateWorkspace(workspace);
const texts = ({ problems }: ValidationReport): string[] => problems.map(problemText);

/** A workspace whose corpus has labels such as `__proto__`, `10` and `2`, with one published result. */
async function published(): Promise<TestWorkspace & { readonly folder: string }> {
  const workspace = makeWorkspace();
  const results = join(workspace.root, "results");
  // Publishing takes longer than everything else here: done once, and copied.
  files ??= await publish(workspace);
  for (const [name, text] of files) {
    mkdirSync(join(results, dirname(name)), { recursive: true });
    writeFileSync(join(results, name), text);
  }
  return { ...workspace, folder: join(results, "tiny", "model-x") };
}

let files: ReadonlyMap<string, string> | undefined;

/** Publishes a run in which every answer is right; the files of `results/` by their names. */
async function publish(workspace: TestWorkspace): Promise<Map<string, string>> {
  const rows = TINY.map(({ id, gold, options }) => {
    const rest = options.filter((label) => label !== gold);
    const probabilities = [[gold, 0.7], ...rest.map((label) => [label, 0.3 / rest.length])];
    const call = { id: `${id}/1`, row: id, number: 1, status: "ok", ms: 10, basis: "provider_reported" };
    return {
      events: [started(call), finished(call)],
      result: result({
        row: id,
        gold,
        label: gold,
        probabilities: probabilities as [string, number][],
        text: stringifyJson(
          new Map([
            [
              "answers",
              new Map([
                [
                  "decision",
                  new Map<string, Writable>([
                    ["label", gold],
                    ["probabilities", new Map(probabilities as [string, number][])],
                  ]),
                ],
              ]),
            ],
          ]),
        ),
        attempts: [finished(call)],
      }),
    };
  });
  workspace.addRun("run-1", {
    results: rows.map((row) => row.result),
    attempts: rows.flatMap((row) => row.events),
  });
  const { error, stderr } = await bench(workspace, ["publish", "run-1"]);
  expect(error, stderr).toBeUndefined();
  const results = join(workspace.root, "results");
  return new Map([...allFiles(results)].map(([path, text]) => [relative(results, path), text]));
}

const edit = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(readFileSync(path, "utf8")));

test("labels that break objects are labels, and what is published of them is sound", async () => {
  const workspace = await published();
  expect(texts(await validate(workspace))).toEqual([]);
  const lines = join(workspace.folder, "predictions.jsonl");
  expect(readFileSync(lines, "utf8")).toContain('"__proto__":');
  edit(lines, (text) => text.replace('"__proto__":', '"constructor2":'));
  const found = await validate(workspace);
  expect(texts(found).slice(0, 2)).toEqual([
    "results/tiny/model-x/predictions.jsonl:4: probabilities.constructor2: is not one of the row's options",
    "results/tiny/model-x/predictions.jsonl:4: probabilities.__proto__: is missing: expected one for every option",
  ]);
});

const NOT_SAID = "is not what the documents beside it say: publish the result again to have it written";

test.each<[name: string, change: (text: string) => string, said: string]>([
  ["another figure", (text) => text.replace("100", "101"), `:\\d+: ${NOT_SAID}`],
  ["a line behind the mark", (text) => `${text}Certified.\n`, `:\\d+: ${NOT_SAID}`],
  ["no line feed at its end", (text) => text.trimEnd(), `:\\d+: ${NOT_SAID}`],
  [
    "no mark",
    () => "# Mine\n",
    ": has no line <!-- decision-bench .*, though the documents beside it are by bench: ",
  ],
  [
    "another layout",
    (text) => text.replace(", layout 1 -->", ", layout 2 -->"),
    ": has another layout than the one that this version writes ",
  ],
])("pages with %s are told", async (_, change, said) => {
  const workspace = await published();
  const suite = join(workspace.root, "results", "tiny");
  edit(join(workspace.folder, "README.md"), change);
  edit(join(suite, "leaderboard.md"), change);
  expect(texts(await validate(workspace))).toEqual([
    expect.stringMatching(new RegExp(`^results/tiny/model-x/README.md${said}`)),
    expect.stringMatching(new RegExp(`^results/tiny/leaderboard.md${said}`)),
  ]);
});

test("line ends of another system are no difference", async () => {
  const workspace = await published();
  const pages = [join(workspace.folder, "README.md"), join(dirname(workspace.folder), "leaderboard.md")];
  for (const page of pages) edit(page, (text) => text.replaceAll("\n", "\r\n"));
  const report = await validate(workspace);
  expect([texts(report), report.notices]).toEqual([[], []]);
});

test("pages that are not there, or by another program, are told and no problem", async () => {
  const workspace = await published();
  const { folder } = workspace;
  rmSync(join(folder, "README.md"));
  rmSync(join(dirname(folder), "leaderboard.md"));
  const missing = await validate(workspace);
  expect(texts(missing)).toEqual([]);
  expect(missing.notices).toEqual([
    "results/tiny/leaderboard.md is not there: the next `bench publish` or `bench import --replace` writes it",
    "README.md is not there, publishing the result or importing it with --replace writes it: tiny/model-x",
  ]);
  // The older tool's documents name no analysis, and have no ranks.
  edit(join(folder, "metadata.json"), (text) =>
    text.replace(/,\s*"analysis_version": "v1"/, "").replace(/\s*"prompt_sha256": "\w+",/, ""),
  );
  edit(join(dirname(folder), "leaderboard.json"), (text) =>
    text.replace(/,\s*"(?:rank_(?:low|high)": 1|prompt_sha256": "\w+")/g, ""),
  );
  writeFileSync(join(folder, "README.md"), "# Theirs\n");
  writeFileSync(join(dirname(folder), "leaderboard.md"), "# Theirs\n");
  const foreign = await validate(workspace);
  expect(texts(foreign)).toEqual([]);
  expect(foreign.notices).toEqual([
    "results/tiny/leaderboard.json was written by another program: its note was not compared",
    "results/tiny/leaderboard.md was written by another program: it was not compared",
    "README.md was written by another program and not compared: tiny/model-x",
  ]);
});

test("a leaderboard page without its document is told, whatever it says", async () => {
  const workspace = await published();
  const suite = dirname(workspace.folder);
  rmSync(join(suite, "leaderboard.json"));
  edit(join(suite, "leaderboard.md"), (text) => text.replace("100", "101"));
  expect(texts(await validate(workspace))).toEqual([
    expect.stringMatching(
      /^results\/tiny\/leaderboard.json: is not there, and leaderboard.md can be held against nothing/,
    ),
  ]);
});

test("a leaderboard speaks of the results beside it and of no others", async () => {
  const workspace = await published();
  const suite = dirname(workspace.folder);
  const ghost = join(workspace.root, "results", "ghost");
  mkdirSync(ghost);
  for (const name of ["leaderboard.json", "leaderboard.md"])
    writeFileSync(join(ghost, name), readFileSync(join(suite, name)));
  edit(join(suite, "leaderboard.json"), (text) => {
    const board = JSON.parse(text) as Loose;
    board.models.push({ ...board.models[0], model_id: "model-y" });
    return JSON.stringify(board);
  });
  const { problems } = await validate(workspace);
  expect(problems.map(({ file, field, message }) => [file, field, message])).toEqual([
    ["results/ghost/leaderboard.json", "models[0].model_id", "is about a result that is not in the suite"],
    ["results/ghost", "", "has a leaderboard and no result: remove it"],
    ["results/tiny/leaderboard.json", "models[1].model_id", "is about a result that is not in the suite"],
    ["results/tiny/leaderboard.json", "models", expect.stringContaining("expected a list of 1")],
  ]);
});

test("what cannot be read is told once, with nothing that follows from it", async () => {
  const workspace = await published();
  const { folder, root } = workspace;
  edit(
    join(folder, "metadata.json"),
    (text) =>
      `\ufeff${text.replace('"pricing": null', '"pricing": {"source_url": "https://prices.example.com/"}')}`,
  );
  edit(join(folder, "README.md"), (text) => text.replace("model-x", "https://prices.example.com/"));
  rmSync(join(dirname(folder), "leaderboard.json"));
  execFileSync("mkfifo", [join(dirname(folder), "leaderboard.json")]);
  expect(texts(await validate(workspace))).toEqual([
    "results/tiny/leaderboard.json: is a pipe: nothing is read through it, move it away",
    expect.stringContaining("is not JSON: expected a JSON value, found a byte order mark"),
  ]);
  rmSync(join(root, "results"), { recursive: true });
  symlinkSync("nowhere", join(root, "results"));
  expect(texts(await validate(workspace))).toEqual(["results: is a link that leads nowhere"]);
});

test("whatever stands in a field of a document, the page is made of it or the field is told", async () => {
  const { folder } = await published();
  const [metadata, scores] = ["metadata.json", "scores.json"].map(
    (name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Loose,
  );
  let pages = 0;
  let refused = 0;
  const look = (): void => {
    const [head, figures] = [metadataFileSchema.safeParse(metadata), scoresFileSchema.safeParse(scores)];
    if (!head.success || !figures.success) {
      refused += 1;
      return;
    }
    expect(readmeText(metadata, scores)).toContain("# Model X on tiny".slice(0, 2));
    pages += 1;
  };
  const walk = (holder: Loose): void => {
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      for (const odd of [undefined, null, 5, -1, "", "x", true, [], [null], {}, { x: {} }]) {
        if (odd === undefined) delete holder[key];
        else holder[key] = odd;
        look();
        holder[key] = value;
      }
      if (typeof value === "object" && value !== null) walk(value);
    }
  };
  walk(metadata);
  walk(scores);
  expect(Math.min(pages, refused)).toBeGreaterThan(100);
});

/** Changes that do not hide one another, and the fields in which they are found. */
const BOARDS: readonly (readonly [fields: readonly string[], change: (board: Loose) => void])[] = [
  [
    [
      ...["suite", "corpus_version", "models[0].accuracy", "models[0].correct", "models[0].wilson95[0]"],
      ...["models[0].cost_usd", "models[0].latency_p50_ms", "models[0].rank_low", "models[0].full_coverage"],
      ...["models[0].completed_at", "models[0].label"],
    ],
    (board) => {
      board.suite = "x";
      board.corpus_version = "2";
      const [entry] = board.models;
      entry.accuracy *= 1 - 1e-6;
      entry.correct -= 1;
      entry.wilson95[0] *= 1 + 1e-6;
      entry.cost_usd = 1;
      delete entry.latency_p50_ms;
      entry.rank_low = 2;
      entry.full_coverage = false;
      entry.completed_at = "2026-01-01T00:00:00Z";
      entry.label = null;
    },
  ],
  [
    ["corpus_sha256", "models[0].model_id"],
    (board) => {
      board.corpus_sha256 = "0".repeat(64);
      board.models[0].model_id = "y";
    },
  ],
  [["note"], (board) => (board.note = "Model X is the best.")],
  [["models"], (board) => board.models.push(board.models[0])],
  [["models"], (board) => (board.models = [])],
];

test("every figure of a leaderboard is compared", async () => {
  const workspace = await published();
  const path = join(workspace.root, "results", "tiny", "leaderboard.json");
  const sound = readFileSync(path, "utf8");
  for (const [fields, change] of BOARDS) {
    const board = JSON.parse(sound) as Loose;
    change(board);
    writeFileSync(path, JSON.stringify(board));
    const { problems } = await validateFolders(workspace.workspace);
    const found = problems
      .filter(({ file }) => file === "results/tiny/leaderboard.json")
      .map(({ field }) => field);
    expect(found.sort()).toEqual([...fields].sort());
  }
  // The older tool writes neither prompts nor ranks, and times in another form; its results name no analysis.
  edit(join(workspace.folder, "metadata.json"), (text) => text.replace(/,\s*"analysis_version": "v1"/, ""));
  const board = JSON.parse(sound) as Loose;
  for (const entry of board.models) {
    for (const key of ["prompt_version", "rank_low", "rank_high"]) delete entry[key];
    entry.completed_at = entry.completed_at?.replace("Z", "+00:00") ?? null;
  }
  board.note = "Another note.";
  writeFileSync(path, JSON.stringify(board));
  const { problems } = await validateFolders(workspace.workspace);
  expect(problems.filter(({ file }) => file.endsWith(".json"))).toEqual([]);
});

test("a line of a gigabyte is passed over", async () => {
  const workspace = await published();
  const path = join(workspace.folder, "predictions.jsonl");
  const { length } = readFileSync(path);
  // A hole in the file takes no room.
  truncateSync(path, length + 200 * 1024 * 1024);
  appendFileSync(path, "\n");
  const before = process.memoryUsage().rss;
  const report = await validate(workspace);
  expect(texts(report)).toEqual(["results/tiny/model-x/predictions.jsonl:7: is longer than 67108864 bytes"]);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  expect(report.notices).toHaveLength(2);
});

test("lines without end are not read to their end", async () => {
  const workspace = await published();
  const path = join(workspace.folder, "predictions.jsonl");
  const [first = ""] = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, `${first}\n`.repeat(200_000));
  const begun = performance.now();
  const report = await validate(workspace);
  expect(performance.now() - begun).toBeLessThan(5000);
  expect(texts(report)).toHaveLength(65 + 1);
  expect(texts(report)).toContain(
    "results/tiny/model-x/predictions.jsonl: has more than 66 lines, the corpus has 6 rows: the rest was not read",
  );
});

test("more problems than anybody reads are counted", async () => {
  const copies = makeCopies();
  copies.add("alpha", "alpha", (copy) => copy.text("predictions.jsonl", () => "{}\n".repeat(10_000)));
  const workspace = { ...makeWorkspace(), root: copies.root };
  const { stdout, exitCode } = await bench(workspace, ["validate", copies.root]);
  expect(exitCode).toBe(1);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(MOST_PROBLEMS + 2);
  expect(lines.slice(-2)).toEqual([
    expect.stringMatching(/^results\/oracle-1\/alpha\/predictions.jsonl: and \d\d,\d{3} more in this file$/),
    expect.stringMatching(/^\d\d,\d{3} problems in 1 file \(1 result, 1 corpus\)$/),
  ]);
});

test.each([
  ["[]", "expected object, found a list of 0"],
  ["null", "expected object, found null"],
  [`${"[".repeat(100_000)}`, "is not JSON: nested more than 256 levels deep on line 1, column 257"],
  [
    '{"suite":"a","suite":"b"}',
    'is not JSON: the key "suite" stands twice in one object on line 1, column 14',
  ],
  ['{"__proto__":{"suite":"tiny"}}', "schema_version: is missing: expected 1"],
  ["", "is not JSON: expected a JSON value, found the end on line 1, column 1"],
])("broken document %# is told", async (text, message) => {
  const workspace = await published();
  writeFileSync(join(workspace.folder, "metadata.json"), text);
  writeFileSync(join(workspace.folder, "scores.json"), text);
  const found = texts(await validate(workspace));
  for (const file of ["metadata.json", "scores.json"]) {
    expect(
      found.filter((line) => line.includes(`/${file}`) && line.includes(message)),
      file,
    ).toHaveLength(1);
  }
});

test("names of folders are nothing but names", async () => {
  const workspace = await published();
  for (const name of ["tiny/Model X", "..x/y", "tiny/a\\b"]) {
    mkdirSync(join(workspace.root, "results", name), { recursive: true });
    for (const file of ["metadata.json", "scores.json", "predictions.jsonl"]) {
      writeFileSync(join(workspace.root, "results", name, file), readFileSync(join(workspace.folder, file)));
    }
  }
  const found = texts(await validate(workspace));
  expect(found).toContain(
    'results/tiny/Model X/metadata.json: model.id: expected "Model X" (the name of its folder), found "model-x"',
  );
  expect(found.filter((text) => text.includes("metadata.json: model.id"))).toHaveLength(2);
});

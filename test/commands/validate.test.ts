// `bench validate` as a person meets it: what a path means, what is printed, exit codes, and the shape of --json.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { openWorkspace } from "../../src/workspace.ts";
import { bench, type Outcome } from "../support/commands.ts";
import { type Copies, makeCopies } from "../support/copies.ts";
import { makeWorkspace, openAt, type TestWorkspace } from "../support/workspace.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../docs/schemas/validate.schema.json", import.meta.url), "utf8"),
) as object;
const valid = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true }).compile(schema);

function opened(copies: Copies): TestWorkspace {
  return openAt(copies.root, "");
}
const validate = (workspace: TestWorkspace, ...args: string[]): Promise<Outcome> =>
  bench(workspace, ["validate", ...args]);

/** Two results; the second has some of everything wrong. */
function representative(): Copies {
  const copies = makeCopies();
  copies.add("alpha", "alpha", () => {});
  copies.add("charlie", "charlie", (copy) => {
    const { metadata, scores, lines } = copy;
    lines[0].correct = !lines[0].correct;
    lines[1].gold = "elsewhere";
    lines[2].probabilities.extra = 0.25;
    lines[3].latency_ms = -1;
    lines[4].attempts[0].tokens.input += 1;
    lines[5].status = "429";
    lines[7] = lines[6];
    delete lines[8].task;
    metadata.model.id = "../../x";
    metadata.coverage.rows_ok = "many";
    scores.suite = "other\u001b[31m";
    scores.overall.rows = -1;
    scores.by_task.pop();
    copy.after((folder) => writeFileSync(join(folder, "notes.txt"), ""));
  });
  copies.add("delta", "delta", ({ scores }) => {
    scores.overall.accuracy *= 1 + 1e-6;
    scores.by_task[3].wilson95[1] = null;
    scores.by_category.splice(1, 1);
    delete scores.latency_ms.p95;
  });
  return copies;
}

/** What is said of results of the older tool, whose suite has no leaderboard here. */
const unchecked = (names: string, rows: string): string =>
  "results/oracle-1 has no leaderboard: the next `bench publish` or `bench import --replace` writes it\n" +
  `estimated costs were taken as they are, since metadata.json does not name the prices that they were made with: ${names}\n` +
  `answers were taken as they are where output_text is missing, cut, masked or no answer: ${rows}\n`;

test("problems are printed one a line, then how many there are", async () => {
  const workspace = opened(representative());
  const { stdout, stderr, exitCode, error } = await validate(workspace);
  expect(error).toBeUndefined();
  expect(exitCode).toBe(1);
  await expect(stdout).toMatchFileSnapshot("../fixtures/golden/validate.txt");
  expect(stderr).toBe(
    "results/oracle-1/charlie: its scores were not computed again (predictions.jsonl: line 3 has no probabilities that add up to 1)\n" +
      unchecked(
        "oracle-1/alpha, oracle-1/charlie, oracle-1/delta",
        "oracle-1/alpha (427 of 427), oracle-1/charlie (409 of 409), oracle-1/delta (386 of 386)",
      ),
  );
});

test.each([
  ["a workspace with problems", (): TestWorkspace => opened(representative())],
  ["a sound one", (): TestWorkspace => makeWorkspace()],
  [
    "one with a broken corpus",
    (): TestWorkspace => {
      const workspace = makeWorkspace();
      writeFileSync(join(workspace.root, "data", "corpus", "tiny-1", "cases.jsonl"), "{}\n");
      return workspace;
    },
  ],
])("the document about %s has its shape", async (_, make) => {
  const { stdout, exitCode } = await validate(make(), "--json");
  const document = JSON.parse(stdout) as { ok: boolean };
  valid(document);
  expect(valid.errors ?? []).toEqual([]);
  expect(document.ok).toBe(exitCode === 0);
});

test("a sound workspace is told in one line", async () => {
  const copies = makeCopies();
  copies.add("alpha", "alpha", () => {});
  copies.add("bravo", "bravo", () => {});
  const { stdout, stderr, exitCode } = await validate(opened(copies));
  expect([stdout, stderr, exitCode]).toEqual([
    "2 results, 1 corpus: sound\n",
    unchecked("oracle-1/alpha, oracle-1/bravo", "oracle-1/alpha (427 of 427), oracle-1/bravo (418 of 418)"),
    0,
  ]);
});

test("a path may be a result, a suite, results, or another workspace", async () => {
  const copies = makeCopies();
  copies.add("alpha", "alpha", () => {});
  copies.add("bravo", "bravo", ({ lines }) => {
    lines[0].correct = !lines[0].correct;
  });
  const workspace = opened(copies);
  const said = async (path: string, from = workspace): Promise<string[]> =>
    (await validate(from, path)).stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/: correct: .*/, ""));
  const wrong = "results/oracle-1/bravo/predictions.jsonl:1";
  const all = [wrong, "1 problem in 1 file (2 results, 1 corpus)"];
  expect(await said("results/oracle-1/alpha")).toEqual(["1 result, 1 corpus: sound"]);
  expect(await said("results/oracle-1/bravo/")).toEqual([wrong, "1 problem in 1 file (1 result, 1 corpus)"]);
  expect(await said("results/oracle-1")).toEqual(all);
  expect(await said("results")).toEqual(all);
  expect(await said(copies.root)).toEqual(all);
  expect(await said(copies.root, makeWorkspace())).toEqual(all);

  // Results that lie elsewhere are held against the corpora here.
  const away = join(copies.root, "..", `${copies.root.split("/").at(-1)}-away`);
  cpSync(join(copies.root, "results"), join(away, "published"), { recursive: true });
  try {
    const from = openWorkspace({ root: copies.root, cwd: copies.root, env: {} });
    expect(from.resultsDir).not.toContain("away");
    expect((await said(join(away, "published")))[0]).toBe("published/oracle-1/bravo/predictions.jsonl:1");
    expect((await said(join(away, "published", "oracle-1")))[0]).toBe("oracle-1/bravo/predictions.jsonl:1");
    expect((await said(join(away, "published", "oracle-1", "bravo")))[0]).toBe("bravo/predictions.jsonl:1");
    rmSync(join(copies.root, "results"), { recursive: true });
    expect(await said(join(away, "published", "oracle-1", "alpha"))).toEqual(["1 result, 1 corpus: sound"]);
  } finally {
    rmSync(away, { recursive: true, force: true });
  }
});

test("a path that is not there, no folder, or holds no result is wrong usage", async () => {
  const workspace = makeWorkspace();
  mkdirSync(join(workspace.root, "empty"));
  for (const [path, message] of [
    ["nowhere", '"nowhere" is not there: name the folder'],
    ["data/corpus/current.json", "is not a folder: name the folder"],
    ["empty", '"empty" holds no published result'],
  ] as const) {
    const { error, stdout } = await validate(workspace, path);
    expect(error).toBeInstanceOf(UserError);
    expect(error?.message).toContain(message);
    expect(stdout).toBe("");
  }
});

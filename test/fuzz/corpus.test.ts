// The loader of corpora against a second opinion: rows, manifest, pointer and pictures with something wrong in them.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { type CorpusReport, findingText, inspectCorpus, loadCorpus } from "../../src/corpus/load.ts";
import { packageRoot, type Workspace } from "../../src/workspace.ts";
import { makeWorkspace, png } from "../support/corpus.ts";
import { type Frozen, freezes, rowsOf } from "./corpora.ts";
import { FILES, KEYS, VALUES } from "./documents.ts";
import { beginning, fuzz, product, refused, said, type Verdict } from "./fuzz.ts";
import { documentLike, linesLike } from "./mutations.ts";
import { isObject, jsonOf, own, type Plain, textOf } from "./opinions.ts";

const CORPUS = join(packageRoot, "data", "corpus", "bench-v4");
const ROWS = 12;

interface Made {
  readonly workspace: Workspace;
  readonly dir: string;
  readonly lines: readonly string[];
  readonly rows: readonly Plain[];
  readonly manifest: Plain;
  readonly frozen: Frozen;
  readonly sha256: string;
  picture(asset: Plain): boolean;
  write(file: string, content: string | Buffer): void;
}

/** A workspace with a dozen rows of the project's corpus, each of another task, two of them with a picture. */
async function made(): Promise<Made> {
  const test = makeWorkspace();
  onTestFinished(test.cleanup);
  const all = readFileSync(join(CORPUS, "cases.jsonl"), "utf8").trimEnd().split("\n");
  const read = all.map((line) => ({ line, row: JSON.parse(line) as Plain }));
  const first = read.filter(({ row }, at) => read.findIndex((other) => other.row.task === row.task) === at);
  const pictured = first.filter(({ row }) => row.modality === "image").slice(0, 2);
  const chosen = [...first.filter(({ row }) => row.modality === "text").slice(0, ROWS - 2), ...pictured];
  const lines = chosen.map(({ line }) => line);
  const rows = chosen.map(({ row }) => row);
  const whole = JSON.parse(readFileSync(join(CORPUS, "manifest.json"), "utf8")) as Record<string, Plain>;
  const names = rows.map((row) => row.task as string);
  const tasks = names.map((name): [string, Plain] => [name, { ...(whole.tasks?.[name] as Plain), rows: 1 }]);
  const frozen: Frozen = {
    suite: "bench-v4",
    tasks: new Map(tasks.map(([name, task]) => [name, task.category as string])),
  };
  const dir = test.corpusDir;
  for (const row of rows) {
    for (const asset of row.assets as Plain[]) {
      mkdirSync(dirname(join(dir, asset.path as string)), { recursive: true });
      copyFileSync(join(CORPUS, asset.path as string), join(dir, asset.path as string));
    }
  }
  const write = (file: string, content: string | Buffer): void => writeFileSync(join(dir, file), content);
  const counts = { cases: rows.length };
  const manifest = { ...whole, sha256: "0".repeat(64), tasks: Object.fromEntries(tasks), counts };
  write("cases.jsonl", `${lines.join("\n")}\n`);
  write("manifest.json", JSON.stringify(manifest));
  test.write("data/corpus/current.json", '{"path":"data/corpus/test-1/cases.jsonl"}');
  const workspace = test.open();
  const sha256 = digestIn(await inspectCorpus(workspace)) ?? "";
  return {
    workspace,
    dir,
    lines,
    rows,
    manifest: { ...manifest, sha256 },
    frozen,
    sha256,
    write,
    picture(asset) {
      const known = rows.flatMap((row) => row.assets as Plain[]);
      return known.some(
        ({ path, sha256: digest }) => own(asset, "path") === path && own(asset, "sha256") === digest,
      );
    },
  };
}

/** The digest of rows in which nothing else is wrong. */
function digestIn({ findings, mismatch }: CorpusReport): string | null {
  if (findings.length !== 1 || mismatch === null) return null;
  return /the rows have the digest ([0-9a-f]{64})/.exec(mismatch.message)?.[1] ?? null;
}

test("rows are accepted when the table of fields says so, and digested as Python digests them", async (context) => {
  const { workspace, lines, manifest, frozen, picture, write, dir } = await made();
  const digests: { text: string; sha256: string }[] = [];
  const loose = JSON.stringify({
    ...manifest,
    sha256: "0".repeat(64),
    counts: null,
    tasks: Object.fromEntries(
      Object.entries(manifest.tasks as Plain).map(([id, task]) => [id, { ...(task as Plain), rows: null }]),
    ),
  });
  write("manifest.json", loose);
  const embedded = VALUES.filter((value) => value.length < 100_000).flatMap((value) => [
    lines[0]?.replace(/"state":.*"assets"/, () => `"state":${value},"assets"`) ?? "",
    lines[0]?.replace('"id":', () => `"note":${value},"id":`) ?? "",
  ]);
  const keyed = KEYS.map((key) =>
    (lines[0] ?? "").replace('"title"', () => `${JSON.stringify(key)}:{"polluted":1},"title"`),
  );
  await fuzz<Buffer>({
    name: "corpus rows",
    documents: [
      ...FILES.map(({ make }) => make()),
      ...[...embedded, ...keyed].map((line) => Buffer.from(`${line}\n`)),
    ],
    generated: linesLike(lines, 4),
    short: 120,
    long: 4000,
    describe: (bytes) => beginning(bytes, 6000),
    async run(bytes): Promise<Verdict> {
      writeFileSync(join(dir, "cases.jsonl"), bytes);
      const report = await product(() => inspectCorpus(workspace));
      const opinion = rowsOf(bytes, frozen, picture);
      const sha256 = digestIn(report);
      if ((sha256 === null) === (opinion !== null)) {
        throw new Error(
          opinion === null ? "accepted nonsense" : `refused ${report.findings.map(findingText)}`,
        );
      }
      if (sha256 === null || opinion === null) return said(report.findings.map(findingText));
      if (digests.length < 400) digests.push({ text: bytes.toString("utf8"), sha256 });
      if (Number.parseInt(sha256.slice(0, 2), 16) >= 32) return "accepted";
      write("manifest.json", loose.replace("0".repeat(64), sha256));
      const corpus = await loadCorpus(workspace).finally(() => write("manifest.json", loose));
      expect(corpus.sha256).toBe(sha256);
      for (const [at, row] of corpus.rows.entries()) {
        const told = opinion[at];
        const [question] = own(told, "questions") as Plain[];
        const { options, gold } = row.question;
        expect([row.id, gold]).toEqual([own(told, "id"), own(question, "gold")]);
        const labels = own(question, "option_order") ?? Object.keys(own(question, "options") as Plain);
        expect(options.map(({ label }) => label)).toEqual(labels);
        for (const { label, description } of options) {
          expect(description).toBe(own(own(question, "options"), label));
        }
      }
      return "accepted";
    },
  });
  if (spawnSync("python3", ["--version"]).status !== 0) return context.skip("there is no python3");
  const program = `
import hashlib, json, sys
for text in json.load(sys.stdin):
    rows = [json.loads(line) for line in text.split("\\n") if line.strip(" \\t\\r")]
    print(hashlib.sha256(json.dumps(rows, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()).hexdigest())
`;
  const short = digests.filter(({ text }) => !/\d{4000}/.test(text));
  const input = JSON.stringify(short.map(({ text }) => text));
  const python = execFileSync("python3", ["-c", program], { input, encoding: "utf8", timeout: 60_000 });
  expect(short.map(({ sha256 }) => sha256)).toEqual(python.trimEnd().split("\n"));
});

test("a manifest is accepted when it is one and freezes the rows that are there", async () => {
  const { workspace, manifest, write, sha256, rows } = await made();
  const text = JSON.stringify(manifest);
  await fuzz<Buffer>({
    name: "manifest.json",
    documents: FILES.map(({ make }) => make()),
    generated: documentLike([text]),
    short: 80,
    long: 1500,
    describe: (bytes) => beginning(bytes, 6000),
    async run(bytes): Promise<Verdict> {
      write("manifest.json", bytes);
      const { corpus, findings } = await product(() => inspectCorpus(workspace));
      const opinion = freezes(bytes, sha256, rows);
      if ((corpus !== null) !== opinion) {
        throw new Error(opinion ? `refused ${findings.map(findingText)}` : "accepted nonsense");
      }
      return corpus === null ? said(findings.map(findingText)) : "accepted";
    },
  });
});

test("a pointer is followed when it leads to a corpus inside the workspace", async () => {
  const { workspace, write, manifest } = await made();
  write("manifest.json", JSON.stringify(manifest));
  const path = "data/corpus/test-1/cases.jsonl";
  await fuzz<Buffer>({
    name: "current.json",
    documents: [
      ...FILES.map(({ make }) => make()),
      ...[
        "../x/cases.jsonl",
        "/dev/zero",
        "data/corpus/./test-1/cases.jsonl",
        "data\\corpus",
        "",
        "a\0b",
        "C:/x",
        "data/corpus/test-1/",
        "data/corpus/test-1",
      ].map((odd) => Buffer.from(JSON.stringify({ path: odd }))),
    ],
    generated: documentLike([JSON.stringify({ path, version: manifest.version, more: { a: [1] } })]),
    short: 40,
    long: 2000,
    describe: (bytes) => beginning(bytes, 3000),
    async run(bytes): Promise<Verdict> {
      writeFileSync(workspace.corpusPointer, bytes);
      const text = textOf(bytes);
      const value = text === null ? undefined : jsonOf(text)?.value;
      const version = own(value, "version") ?? manifest.version;
      const opinion = isObject(value) && own(value, "path") === path && version === manifest.version;
      try {
        await product(() => loadCorpus(workspace));
      } catch (error) {
        if (opinion) throw error;
        return refused(error);
      }
      if (!opinion) throw new Error("followed nonsense");
      return "accepted";
    },
  });
});

test("a picture is read when a plain path leads to it inside the corpus", async () => {
  const made = makeWorkspace();
  onTestFinished(made.cleanup);
  const bytes = png();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const dir = made.corpusDir;
  made.write("outside.png", bytes);
  for (const name of ["in.png", "deep/er/in.png", "é ü.png", "__proto__"])
    made.write(`data/corpus/test-1/${name}`, bytes);
  symlinkSync(join(made.root, "outside.png"), join(dir, "out.png"));
  symlinkSync("in.png", join(dir, "link.png"));
  symlinkSync("gone.png", join(dir, "dangling.png"));
  symlinkSync("loop.png", join(dir, "loop.png"));
  symlinkSync(made.root, join(dir, "up"));
  symlinkSync("/dev/zero", join(dir, "zero.png"));
  mkdirSync(join(dir, "folder.png"));
  const hasPipes = spawnSync("mkfifo", [join(dir, "pipe.png")]).status === 0;
  onTestFinished(() => rmSync(join(dir, "pipe.png"), { force: true }));
  const good = new Set(["in.png", "deep/er/in.png", "é ü.png", "__proto__", "link.png"]);
  const odd = [
    ...[
      "out.png",
      "dangling.png",
      "loop.png",
      "up/outside.png",
      "zero.png",
      "folder.png",
      hasPipes ? "pipe.png" : "",
    ],
    ...[
      "../test-1/in.png",
      "./in.png",
      "deep/../in.png",
      "deep//er/in.png",
      "/etc/passwd",
      "/dev/zero",
      "C:/in.png",
    ],
    ...[
      "deep\\er\\in.png",
      "in.png\0",
      "in.png/",
      "in.png/in.png",
      "",
      ".",
      "..",
      "\ud800.png",
      "in.png\n",
      "cases.jsonl",
    ],
    ...["x".repeat(300), "x/".repeat(5000), "\u001b[31m.png", "IN.PNG\u202e"],
  ];
  const line = readFileSync(join(dir, "cases.jsonl"), "utf8").split("\n")[0] ?? "";
  const row = JSON.parse(line) as Plain;
  const workspace = made.open();
  interface Case {
    readonly path: string;
    readonly sha256: string;
  }
  const paths = fc.oneof(
    fc.constantFrom(...good),
    fc.constantFrom(...odd),
    fc
      .array(fc.constantFrom("..", ".", "", "deep", "er", "in.png", "up", "\\", "%2e%2e", "\0"), {
        maxLength: 5,
      })
      .map((parts) => parts.join("/")),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  await fuzz<Case>({
    name: "pictures",
    documents: [...good, ...odd].map((path) => ({ path, sha256 })),
    generated: fc.record({ path: paths, sha256: fc.constantFrom(sha256, sha256, sha256, "0".repeat(64)) }),
    short: 60,
    long: 2500,
    describe: (one) => JSON.stringify(one),
    async run(one): Promise<Verdict> {
      const assets = [{ path: one.path, media_type: "image/png", alt: "", sha256: one.sha256 }];
      writeFileSync(join(dir, "cases.jsonl"), `${JSON.stringify({ ...row, assets })}\n`);
      const { findings } = await product(() => inspectCorpus(workspace));
      // Neither digest nor counts are those of one row.
      const told = findings.filter(
        ({ field, file }) =>
          field.startsWith("assets") ||
          (file.endsWith("cases.jsonl") &&
            !/digest [0-9a-f]{64}, the manifest/.test(findingText({ file, field, line: null, message: "" }))),
      );
      const wrong = told.filter(({ message }) => !message.startsWith("the rows have the digest"));
      const opinion = good.has(one.path) && one.sha256 === sha256;
      if ((wrong.length === 0) !== opinion)
        throw new Error(opinion ? `refused ${wrong.map(findingText)}` : "accepted");
      return opinion ? "accepted" : said(wrong.map(findingText));
    },
  });
});

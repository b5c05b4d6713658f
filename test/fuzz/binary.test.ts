// The built program before every nasty document, in every place where it reads one: it ends by itself, with a line for people,
// in about the time that it takes over a sound one, and nothing that a terminal would obey comes out.
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import fc from "fast-check";
import { expect, test } from "vitest";
import { cleanEnv, cli } from "../support/bench.ts";
import { addPublished } from "../support/published.ts";
import { makeSoundRun, type SoundRun } from "../support/sound-run.ts";
import { FILES, type Nasty, TABLES } from "./documents.ts";
import { fuzz, isLong, leftMs, seed, took, type Verdict } from "./fuzz.ts";

const PROBE = pathToFileURL(fileURLToPath(new URL("probe.mjs", import.meta.url))).href;
/** No command over such a document takes as long. */
const LIMIT_MS = 60_000;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  /** Processor time in ms. */
  readonly ms: number;
}

/** A command, and the files of the workspace in whose places the document stands. */
interface Place {
  readonly files: readonly string[];
  readonly args: readonly string[];
}

const CORPUS = "data/corpus/tiny-1";
const RESULT = "results/tiny/model-x";
const PLACES: readonly Place[] = [
  { files: [`${CORPUS}/cases.jsonl`], args: ["corpus", "verify"] },
  { files: [`${CORPUS}/manifest.json`], args: ["corpus", "verify"] },
  { files: ["data/corpus/current.json"], args: ["validate"] },
  { files: ["config/models.json"], args: ["models"] },
  { files: [`${CORPUS}/cases.jsonl`, "config/models.json", `${RESULT}/metadata.json`], args: ["validate"] },
  {
    files: [
      `${RESULT}/predictions.jsonl`,
      `${RESULT}/README.md`,
      "results/tiny/leaderboard.json",
      "results/tiny/leaderboard.md",
    ],
    args: ["validate"],
  },
  { files: [`${RESULT}/scores.json`], args: ["validate"] },
  {
    files: ["runs/run/results.jsonl", "runs/run/attempts.jsonl", `${RESULT}/predictions.jsonl`],
    args: ["sql", "SELECT run_id, rows, damaged_lines FROM runs"],
  },
  {
    files: ["runs/run/run.json", `${RESULT}/metadata.json`],
    args: ["sql", "SELECT run_id, rows, damaged_lines FROM runs"],
  },
  {
    files: ["runs/run/results.jsonl", "runs/run/attempts.jsonl", "runs/run/selection.jsonl"],
    args: ["doctor", "run", "--dry-run"],
  },
  { files: ["runs/run/run.json"], args: ["doctor", "run"] },
  { files: ["runs/run/results.jsonl"], args: ["score", "run"] },
  {
    files: ["other/tiny/model-x/metadata.json", "other/tiny/model-x/scores.json"],
    args: ["import", "other/tiny/model-x"],
  },
  { files: ["other/tiny/model-x/predictions.jsonl"], args: ["import", "other/tiny/model-x"] },
  { files: ["own/rows.jsonl"], args: ["corpus", "pack", "own/rows.jsonl", "--suite", "mine", "--check"] },
  { files: ["own/rows.csv"], args: ["corpus", "pack", "own/rows.csv", "--suite", "mine", "--check"] },
];
const TABLE_PLACE = PLACES.at(-1) as Place;

/** Runs the program to its end. */
function run(root: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const probe = join(root, "probe.jsonl");
  rmSync(probe, { force: true });
  const child = spawn(process.execPath, ["--import", PROBE, cli, ...args], {
    cwd: root,
    env: cleanEnv({ FUZZ_PROBE: probe, ...env }),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  // One behind the other: which of the two comes first is chance.
  const outs = ["", ""];
  for (const [at, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      outs[at] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      const ends = readFileSync(probe, { encoding: "utf8", flag: "a+" }).trimEnd().split("\n");
      const last = ends.at(-1) || "{}";
      const { ms = 0, changed = [] } = JSON.parse(last) as { ms?: number; changed?: string[] };
      if (changed.length > 0) reject(new Error(`prototypes have another ${changed}`));
      else resolve({ code, signal, out: outs.join(""), ms });
    });
  });
}

interface Prepared {
  readonly run: SoundRun;
  /** Puts everything back. */
  restore(): void;
}

async function prepared(): Promise<Prepared> {
  const run = await makeSoundRun();
  addPublished(run, ["tiny", "model-x"]);
  mkdirSync(join(run.root, "other"));
  cpSync(join(run.root, "results", "tiny"), join(run.root, "other", "tiny"), { recursive: true });
  mkdirSync(join(run.root, "own"));
  const kept = join(run.root, "kept");
  const names = ["data", "config", "runs", "results", "other", "own"];
  for (const name of names) cpSync(join(run.root, name), join(kept, name), { recursive: true });
  return {
    run,
    restore() {
      for (const name of names) {
        rmSync(join(run.root, name), { recursive: true, force: true });
        cpSync(join(kept, name), join(run.root, name), { recursive: true });
      }
    },
  };
}

/** Control characters that are no layout, marks that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;
const LONGEST_LINE = 20_000;

function judge({ code, signal, out }: Ended): Verdict {
  if (signal !== null) throw new Error(`ended by ${signal}`);
  if (code !== 0 && code !== 1 && code !== 2) throw new Error(`exit code ${code}`);
  const inside =
    /unexpected error|\n\s+at [\w.<>]+ \(|\b(?:TypeError|RangeError|heap out of memory|Cannot read prop)/.exec(
      out,
    );
  if (inside !== null)
    throw new Error(`says ${out.slice(Math.max(0, inside.index - 200), inside.index + 400)}`);
  const odd = OBEYED.exec(out);
  if (odd !== null)
    throw new Error(`writes ${JSON.stringify(out.slice(Math.max(0, odd.index - 80), odd.index + 40))}`);
  for (const line of out.split("\n")) {
    if (line.length > LONGEST_LINE)
      throw new Error(`a line of ${line.length} characters: ${line.slice(0, 300)}`);
  }
  if (code !== 0 && out.trim() === "") throw new Error(`exit code ${code} without a word`);
  return code === 0 ? "accepted" : "refused";
}

interface Case {
  readonly place: Place;
  readonly document: Nasty;
}

/** Every table, and every document in one place of so many, in others with another seed. */
const SHARE = 4;
const CASES: readonly Case[] = [
  ...FILES.flatMap((document, at) =>
    PLACES.filter((_, number) => (at + number + seed) % SHARE === 0).map((place) => ({ place, document })),
  ),
  ...TABLES.map((document) => ({ place: TABLE_PLACE, document })),
];

test("the program ends over every nasty document, in every place", async () => {
  const { run: sound, restore } = await prepared();
  // What a command takes over sound files is no fault of a document.
  const usual = new Map<Place, number>();
  await fuzz<Case>({
    name: "built program",
    documents: isLong ? CASES : [],
    generated: fc.constantFrom(...CASES),
    short: 3,
    long: 0,
    describe: ({ place, document }) => `${document.name} as ${place.files}: bench ${place.args.join(" ")}`,
    limitMs: 1000,
    async run({ place, document }) {
      restore();
      if (!usual.has(place)) usual.set(place, (await run(sound.root, place.args)).ms);
      restore();
      const bytes = document.make();
      for (const file of place.files) {
        mkdirSync(dirname(join(sound.root, file)), { recursive: true });
        writeFileSync(join(sound.root, file), bytes);
      }
      const ended = await run(sound.root, place.args);
      const verdict = judge(ended);
      // A second for each of the documents that it reads.
      took((ended.ms - (usual.get(place) ?? 0)) / place.files.length);
      return verdict;
    },
  });
});

test("prototypes to which nothing can be added are in nobody's way", async () => {
  const { run: sound, restore } = await prepared();
  const polluted = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"id":"a"}\n';
  for (const place of PLACES.filter((_, at) => isLong || at === 4)) {
    if (leftMs() < 0) break;
    restore();
    for (const file of place.files) writeFileSync(join(sound.root, file), polluted);
    const open = await run(sound.root, place.args);
    restore();
    for (const file of place.files) writeFileSync(join(sound.root, file), polluted);
    const closed = await run(sound.root, place.args, { FUZZ_SEAL: "1" });
    judge(closed);
    expect([closed.code, closed.out], place.args.join(" ")).toEqual([open.code, open.out]);
  }
});

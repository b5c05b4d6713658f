// The other harnesses at the same work: the same prompts to the same endpoint, as many in flight, every answer parsed and held
// to the gold label, every result in the store that they use by themselves. They are set up as their manuals say, with
// everything off that would cost them time: caches, tables, progress, sharing, news of new versions, logs for debugging.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Load } from "../load.ts";
import { type Ended, runNode } from "../support.ts";
import type { HarnessName } from "./folder.ts";

export interface Harness {
  /** A whole evaluation into a new store. */
  run(): Promise<Ended>;
  /** Rows of which the store has the answer, and has it as right. */
  right(): number;
  remove(): void;
}

interface Work {
  readonly load: Load;
  readonly baseUrl: string;
  readonly jobs: number;
}

/** What is in the body of a request, in the parts that a harness wants to be told. */
interface Body {
  readonly model: string;
  readonly messages: readonly [{ readonly content: string }, { readonly content: string }];
  readonly response_format: unknown;
  readonly max_tokens: number;
}

/** The first label of every row is its answer; see makeScratch. */
const GOLD = "second";
const CHECK_MS = 60_000;

/** Sets one of them up in a folder of its own within theirs, where it finds what is installed. */
export function setUp(name: HarnessName, rivals: string, work: Work): Harness {
  const folder = mkdtempSync(join(rivals, `work-${name}-`));
  const bodies = work.load.bodies.map((body) => JSON.parse(body) as Body);
  const [first] = bodies;
  if (first === undefined) throw new Error("there are no rows");
  const inputs = bodies.map(({ messages }) => messages[1].content);
  const how = { folder, rivals, inputs, first, work };
  const harness = name === "promptfoo" ? promptfoo(how) : evalite(how);
  return { ...harness, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

interface How {
  readonly folder: string;
  readonly rivals: string;
  readonly inputs: readonly string[];
  readonly first: Body;
  readonly work: Work;
}

/** Its openai provider, a prompt of two messages, an assertion in JavaScript, which it runs in its own process. */
function promptfoo({ folder, rivals, inputs, first, work }: How): Omit<Harness, "remove"> {
  const write = (name: string, value: unknown): void =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  write("prompt.json", [
    { role: "system", content: first.messages[0].content },
    { role: "user", content: "{{input}}" },
  ]);
  write(
    "tests.json",
    inputs.map((input) => ({ vars: { input, gold: GOLD } })),
  );
  const { max_tokens, response_format } = first;
  write("promptfooconfig.json", {
    prompts: ["file://prompt.json"],
    providers: [
      {
        id: `openai:chat:${first.model}`,
        // Under its own name the format is a template whose every text is rendered for each row.
        config: { apiBaseUrl: work.baseUrl, apiKey: "none", max_tokens, passthrough: { response_format } },
      },
    ],
    defaultTest: {
      assert: [
        { type: "javascript", value: "JSON.parse(output).answers.decision.label === context.vars.gold" },
      ],
    },
    tests: "file://tests.json",
  });
  const store = join(folder, "store");
  const main = join(rivals, "node_modules", "promptfoo", "dist", "src", "main.js");
  const quiet = ["--no-cache", "--no-table", "--no-progress-bar", "--no-share"];
  const env = {
    PROMPTFOO_CONFIG_DIR: store,
    PROMPTFOO_CACHE_ENABLED: "false",
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
    PROMPTFOO_DISABLE_SHARING: "1",
    PROMPTFOO_DISABLE_DEBUG_LOG: "1",
    PROMPTFOO_DISABLE_ERROR_LOG: "1",
    // Else every template that it makes gets a copy of the whole environment.
    PROMPTFOO_DISABLE_TEMPLATE_ENV_VARS: "1",
  };
  return {
    async run() {
      rmSync(store, { recursive: true, force: true });
      mkdirSync(store);
      const args = [main, "eval", "-c", "promptfooconfig.json", "-j", String(work.jobs), ...quiet];
      return whole(await runNode(args, { cwd: folder, env, tree: true }));
    },
    right: () =>
      count(
        join(rivals, "node_modules", "promptfoo", "package.json"),
        join(store, "promptfoo.db"),
        "SELECT count(*) AS n FROM eval_results WHERE success = 1 AND response IS NOT NULL",
      ),
  };
}

/** One file with all rows, a task that is one fetch, a scorer; in vitest's own pool of processes, which takes it least. */
function evalite({ folder, rivals, inputs, first, work }: How): Omit<Harness, "remove"> {
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  writeFileSync(
    join(folder, "rows.json"),
    JSON.stringify(inputs.map((input) => ({ input, expected: GOLD }))),
  );
  const { messages, ...fixed } = first;
  const request = { url: `${work.baseUrl}/chat/completions`, policy: messages[0].content, fixed };
  writeFileSync(join(folder, "request.json"), JSON.stringify(request));
  writeFileSync(join(folder, "decisions.eval.ts"), EVAL);
  writeFileSync(
    join(folder, "evalite.config.ts"),
    `import { defineConfig } from "evalite/config";
export default defineConfig({ maxConcurrency: ${work.jobs}, hideTable: true });
`,
  );
  // Where it keeps its results by itself.
  const store = join(folder, "node_modules", ".evalite");
  const main = join(rivals, "node_modules", "evalite", "dist", "bin.js");
  return {
    async run() {
      rmSync(store, { recursive: true, force: true });
      return whole(await runNode([main], { cwd: folder, tree: true }));
    },
    right: () =>
      count(
        join(rivals, "node_modules", "evalite", "package.json"),
        join(store, "cache.sqlite"),
        "SELECT count(*) AS n FROM results JOIN scores ON scores.result_id = results.id WHERE results.status = 'success' AND scores.score = 1",
      ),
  };
}

const EVAL = `import { readFileSync } from "node:fs";
import { evalite } from "evalite";

const { url, policy, fixed } = JSON.parse(readFileSync("request.json", "utf8"));

evalite("decisions", {
  data: JSON.parse(readFileSync("rows.json", "utf8")),
  task: async (input: string) => {
    const messages = [{ role: "system", content: policy }, { role: "user", content: input }];
    const answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...fixed, messages }),
    });
    const completion = (await answer.json()) as any;
    return JSON.parse(completion.choices[0].message.content).answers.decision.label as string;
  },
  scorers: [{ name: "correct", scorer: ({ output, expected }) => (output === expected ? 1 : 0) }],
});
`;

function whole(ended: Ended): Ended {
  if (ended.code !== 0)
    throw new Error(`ended with ${ended.code}: ${ended.stdout.slice(-2000)}${ended.stderr}`);
  return ended;
}

/** The number that a query of their store gives, read with the SQLite that they bring, in a process of its own. */
function count(from: string, database: string, query: string): number {
  const sqlite = pathToFileURL(createRequire(from).resolve("better-sqlite3")).href;
  const script = `import Database from ${JSON.stringify(sqlite)};
const store = new Database(process.argv[1], { readonly: true });
console.log(store.prepare(process.argv[2]).get().n);`;
  const args = ["--input-type=module", "--eval", script, database, query];
  return Number(execFileSync(process.execPath, args, { encoding: "utf8", timeout: CHECK_MS }));
}

// What the harness adds to one HTTP call: the time from one request to the next as the server sees it, calls one after
// another, minus the same for undici alone. It holds everything: building, parsing, redaction, ledgers.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startEndpoint } from "../test/support/endpoint.ts";
import { HTTP_CASES } from "../test/support/http-providers.ts";
import { makeScratch } from "../test/support/scratch.ts";
import { cli, type Measure, median, runNode } from "./support.ts";

const CALLS = 400;
const ROUNDS = 3;
/** The first ones pay for compiling and connecting. */
const WARM_UP = 50;
const LIMIT_MS = 2;

/** Sends the same body again and again, one call after another. */
const BARE = `
import { Pool } from "undici";
const [url, path, calls] = process.argv.slice(1);
let body = "";
for await (const chunk of process.stdin) body += chunk;
const pool = new Pool(url, { connections: 1 });
for (let call = 0; call < Number(calls); call += 1) {
  const answer = await pool.request({ path, method: "POST", headers: { "content-type": "application/json" }, body });
  await answer.body.text();
}
await pool.close();
`;

/** Less than 2 ms a call, for every HTTP provider. */
export async function measureHttpOverhead(): Promise<Measure> {
  const scratch = makeScratch(CALLS);
  const arrivals: number[] = [];
  const endpoint = await startEndpoint(() => {
    arrivals.push(performance.now());
    return {};
  });
  const gapsOf = async (run: () => Promise<void>): Promise<number> => {
    arrivals.length = 0;
    await run();
    const gaps = arrivals.slice(1).map((time, index) => time - (arrivals[index] ?? time));
    if (arrivals.length !== CALLS) throw new Error(`${arrivals.length} calls, not ${CALLS}`);
    return median(gaps.slice(WARM_UP));
  };
  const found: { provider: string; added: number; ours: number[]; bare: number[] }[] = [];
  try {
    for (const { provider, model, url, path } of HTTP_CASES) {
      scratch.models([model]);
      const ours: number[] = [];
      const bare: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
        ours.push(
          await gapsOf(async () => {
            const args = [cli, "--root", scratch.root, "run", "--model", "m", "--jobs", "1", "--json"];
            const run = await runNode(args, { [url]: endpoint.baseUrl });
            if (run.code !== 0) throw new Error(run.stderr);
          }),
        );
        const body = endpoint.requests.at(-1)?.text ?? "";
        bare.push(await gapsOf(() => bareCalls(`http://127.0.0.1:${endpoint.port}`, path, body)));
      }
      found.push({ provider, added: median(ours) - median(bare), ours, bare });
    }
  } finally {
    await endpoint.close();
    scratch.remove();
  }
  const most = Math.max(...found.map(({ added }) => added));
  const figures = (values: readonly number[]): string => values.map((ms) => ms.toFixed(2)).join(", ");
  return {
    what: `${CALLS} calls one after another: what the harness adds to a call, the slowest provider`,
    ratio: `${most.toFixed(2)} ms`,
    limit: `< ${LIMIT_MS} ms`,
    ok: most < LIMIT_MS,
    detail: found
      .map(
        ({ provider, added, ours, bare }) =>
          `${provider} ${added.toFixed(2)} (ours ${figures(ours)}; bare ${figures(bare)})`,
      )
      .join("; "),
  };
}

function bareCalls(url: string, path: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const args = ["--input-type=module", "--eval", BARE, url, path, String(CALLS)];
    const child = spawn(process.execPath, args, {
      cwd: join(cli, "..", ".."),
      stdio: ["pipe", "ignore", "inherit"],
    });
    child.once("error", reject);
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`bare calls: ${code}`))));
    child.stdin.end(body);
  });
}

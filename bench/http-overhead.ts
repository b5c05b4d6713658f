// What the harness adds to one HTTP call: the time from one request to the next as the server sees it, calls one after
// another, minus the same for undici alone. It holds everything: building, parsing, redaction, ledgers.
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startEndpoint } from "../test/support/endpoint.ts";
import { HTTP_CASES } from "../test/support/http-providers.ts";
import { makeScratch } from "../test/support/scratch.ts";
import { type Line, median } from "./figures.ts";
import { rounds, sized } from "./sizes.ts";
import { alternately, cli, listed, runNode } from "./support.ts";

const CALLS = sized(400, 100);
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
export async function measureHttpOverhead(): Promise<Line[]> {
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
  const lines: Line[] = [];
  try {
    for (const { provider, model, url, path } of HTTP_CASES) {
      scratch.models([model]);
      const peaks: number[] = [];
      const [ours = [], bare = []] = await alternately(
        rounds(),
        () => {
          rmSync(join(scratch.root, "runs"), { recursive: true, force: true });
          return gapsOf(async () => {
            const args = [cli, "--root", scratch.root, "run", "--model", "m", "--jobs", "1", "--json"];
            const run = await runNode(args, { env: { [url]: endpoint.baseUrl } });
            if (run.code !== 0) throw new Error(run.stderr);
            peaks.push(run.peakMb);
          });
        },
        () => {
          const body = endpoint.requests.at(-1)?.text ?? "";
          return gapsOf(() => bareCalls(`http://127.0.0.1:${endpoint.port}`, path, body));
        },
      );
      lines.push({
        what: `${CALLS} calls one after another: what the harness adds to a call of \`${provider}\``,
        unit: "ms",
        values: ours.map((ms, round) => ms - (bare[round] ?? Number.NaN)),
        limit: { below: LIMIT_MS },
        memory: { mb: peaks },
        detail: `ours ${listed(ours, 2)} ms; bare ${listed(bare, 2)}`,
      });
    }
  } finally {
    await endpoint.close();
    scratch.remove();
  }
  return lines;
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

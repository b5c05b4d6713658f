// Rows per second and memory of the harness against promptfoo, evalite and a bare loop at the same work, in turn, in one run.
import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Line, ratios } from "../figures.ts";
import { listed, mind, projectRoot } from "../support.ts";
import { findRivals, HARNESSES } from "./folder.ts";
import { type Contest, DELAY_MS, JOBS, type Ran, ROWS } from "./inside.ts";

/** How many times as many rows per second as they. */
const LEAST = { promptfoo: 4, evalite: 2.5, bare: 0.8 } as const;
const LIMIT_MS = 45 * 60_000;

const TASK = `${ROWS.toLocaleString("en-US")} rows, ${JOBS} in flight, ${DELAY_MS} ms`;

/** Four times promptfoo, two and a half times evalite, 80 % of the bare loop; no more memory than either. */
export async function measureRivals(): Promise<Line[]> {
  const rivals = await findRivals(process.env);
  const found = await contestInside("folder" in rivals ? rivals.folder : "");
  const ours = found.ours ?? [];
  return [
    ...againstBare(ours, found.bare ?? []),
    ...HARNESSES.flatMap((name) => {
      const least = LEAST[name];
      if ("skipped" in rivals) {
        const what = `${TASK}: rows per second against ${name}`;
        return [{ what, unit: "×", values: [], limit: { least }, skipped: rivals.skipped } satisfies Line];
      }
      const { versions } = rivals;
      const version =
        name === "evalite" ? `${versions.evalite} on vitest ${versions.vitest}` : versions[name];
      return againstHarness(`${name} ${version}`, ours, found[name] ?? [], least);
    }),
  ];
}

const of = (ran: readonly Ran[], what: (one: Ran) => number): number[] => ran.map(what);
const wholeRate = ({ wholeS }: Ran): number => ROWS / wholeS;
const spanRate = ({ spanS }: Ran): number => ROWS / spanS;
const peak = ({ peakMb }: Ran): number => peakMb;

function rates(ours: readonly Ran[], theirs: readonly Ran[], rate: (one: Ran) => number): string {
  return `ours ${listed(of(ours, rate))} rows/s; theirs ${listed(of(theirs, rate))}`;
}

function inFlight(theirs: readonly Ran[]): string {
  return `at most ${Math.max(...of(theirs, ({ mostInFlight }) => mostInFlight))} of theirs in flight`;
}

function againstHarness(name: string, ours: readonly Ran[], theirs: readonly Ran[], least: number): Line[] {
  const compared = (rate: (one: Ran) => number): number[] => ratios(of(ours, rate), of(theirs, rate));
  const memory = { mb: of(ours, peak) };
  return [
    {
      what: `${TASK}: rows per second against ${name}, the whole command`,
      unit: "×",
      values: compared(wholeRate),
      limit: { least },
      memory,
      detail: rates(ours, theirs, wholeRate),
    },
    {
      what: `the same against ${name}, from the first request to the last answer`,
      unit: "×",
      values: compared(spanRate),
      limit: { least },
      memory,
      detail: `${rates(ours, theirs, spanRate)}; ${inFlight(theirs)}`,
    },
    {
      what: `the same against ${name}: peak memory of all processes`,
      unit: "×",
      values: compared(peak),
      limit: { most: 1 },
      memory,
      detail: `ours ${listed(of(ours, peak))} MB; theirs ${listed(of(theirs, peak))}`,
    },
  ];
}

function againstBare(ours: readonly Ran[], bare: readonly Ran[]): Line[] {
  const own = ({ ownRate }: Ran): number => ownRate ?? Number.NaN;
  const lines: [what: string, rate: (one: Ran) => number, limited: boolean][] = [
    [`${TASK}: rows per second against a bare loop, as both recorded themselves`, own, true],
    ["the same against a bare loop, from the first request to the last answer", spanRate, true],
    // A bare loop has no workspace to open, no corpus to check, nothing to start but Node.
    ["the same against a bare loop, the whole command", wholeRate, false],
  ];
  return lines.map(([what, rate, limited]) => ({
    what,
    unit: "×",
    values: ratios(of(ours, rate), of(bare, rate)),
    ...(limited ? { limit: { least: LEAST.bare } } : {}),
    memory: { mb: of(ours, peak) },
    detail: `${rates(ours, bare, rate)}, at most ${Math.max(...of(bare, peak)).toFixed(0)} MB`,
  }));
}

/** Brings up what programs on this machine reach each other by, then becomes the command. */
const LOOPBACK = 'ip link set lo up 2>/dev/null || ifconfig lo up 2>/dev/null || exit 99; exec "$@"';
const WAYS = [
  ["unshare", "-n", "sh", "-c", LOOPBACK, "sh"],
  // Without root, where users may have namespaces of their own.
  ["unshare", "-r", "-n", "sh", "-c", LOOPBACK, "sh"],
];
/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";

/** Runs the contest in a namespace with nothing but a loopback; where there is none, behind proxies that are not there. */
async function contestInside(folder: string): Promise<Contest> {
  const alone = WAYS.find(([program = "", ...args]) => spawnSync(program, [...args, "true"]).status === 0);
  const command = [
    process.execPath,
    "--import",
    "tsx",
    join(projectRoot, "bench", "rivals", "inside.ts"),
    folder,
  ];
  const [program = process.execPath, ...args] = [...(alone ?? []), ...command];
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"];
  const env = {
    ...process.env,
    ...Object.fromEntries(proxies.map((name) => [name, alone === undefined ? NOWHERE : ""])),
    NO_PROXY: "127.0.0.1",
    no_proxy: "127.0.0.1",
  };
  const child = mind(
    spawn(program, args, { cwd: projectRoot, env, stdio: ["ignore", "pipe", "inherit"], timeout: LIMIT_MS }),
  );
  let text = "";
  child.stdout.on("data", (data: Buffer) => {
    text += data.toString();
  });
  const code = await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`the contest ended with ${code}`);
  return JSON.parse(text) as Contest;
}

// The contest itself, started where nothing but this machine can be reached: `inside.ts <folder of the others, or nothing>` runs
// everyone in turn, several rounds, and prints what was measured as JSON.
import { type Load, makeLoad, runBareLoop, runHarness } from "../load.ts";
import { rounds, sized } from "../sizes.ts";
import { type Ended, endChildrenWithUs, type FastEndpoint, startFastEndpoint } from "../support.ts";
import { HARNESSES } from "./folder.ts";
import { type Harness, setUp } from "./harnesses.ts";

export const ROWS = sized(1000, 100);
export const JOBS = 32;
export const DELAY_MS = 20;

/** One run of one contestant. */
export interface Ran {
  /** From the start of the command to its end. */
  readonly wholeS: number;
  /** From the first request to the last answer, as the endpoint saw. */
  readonly spanS: number;
  readonly mostInFlight: number;
  /** Of all its processes. */
  readonly peakMb: number;
  /** Rows per second as it measured itself; only the harness and the bare loop do. */
  readonly ownRate: number | null;
}
export type Contest = Readonly<Record<string, readonly Ran[]>>;

type Turn = () => Promise<Ended & { readonly rate?: number }>;

async function contest(rivals: string): Promise<Contest> {
  const endpoint = await startFastEndpoint(DELAY_MS);
  const others: Harness[] = [];
  let load: Load | undefined;
  try {
    const made = await makeLoad(ROWS);
    load = made;
    const work = { load: made, baseUrl: endpoint.baseUrl, jobs: JOBS };
    const turns: Record<string, Turn> = {
      ours: () => runHarness(made, endpoint.baseUrl, JOBS, { tree: true }),
      bare: () => runBareLoop(made, endpoint.baseUrl, JOBS, { tree: true }),
    };
    for (const name of rivals === "" ? [] : HARNESSES) {
      const other = setUp(name, rivals, work);
      others.push(other);
      turns[name] = async () => {
        const ended = await other.run();
        const right = other.right();
        if (right !== ROWS) throw new Error(`${name} has ${right} of ${ROWS} right answers in its store`);
        return ended;
      };
    }
    const found: Record<string, Ran[]> = {};
    for (let round = 0; round < rounds(); round += 1) {
      for (const [name, turn] of Object.entries(turns)) {
        const ran = await observed(endpoint, name, turn);
        console.error(`  ${name}: ${ran.wholeS.toFixed(1)} s, of it ${ran.spanS.toFixed(1)} s of requests`);
        found[name] = [...(found[name] ?? []), ran];
      }
    }
    return found;
  } finally {
    endpoint.stop();
    for (const other of others) other.remove();
    load?.remove();
  }
}

/** @throws {Error} when it did not ask exactly once for every row. */
async function observed(endpoint: FastEndpoint, name: string, turn: Turn): Promise<Ran> {
  await endpoint.stats();
  const ended = await turn();
  const seen = await endpoint.stats();
  if (seen.requests !== ROWS || seen.distinct !== ROWS) {
    throw new Error(
      `${name} made ${seen.requests} requests, ${seen.distinct} of them different, for ${ROWS} rows`,
    );
  }
  return {
    wholeS: ended.wallMs / 1000,
    spanS: (seen.last_ms - seen.first_ms) / 1000,
    mostInFlight: seen.most_in_flight,
    peakMb: ended.peakMb,
    ownRate: ended.rate ?? null,
  };
}

if (process.argv[1] === import.meta.filename) {
  endChildrenWithUs();
  console.log(JSON.stringify(await contest(process.argv[2] ?? "")));
}

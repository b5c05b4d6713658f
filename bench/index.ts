// `npm run bench`: every measure, as a table of ratios. `npm run bench -- startup` runs one.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { measureCliCall } from "./cli-call.ts";
import { measureCoverage } from "./coverage.ts";
import { measureHttpOverhead } from "./http-overhead.ts";
import { measurePairs } from "./pairs.ts";
import { measurePublish } from "./publish.ts";
import { measureQuery } from "./query.ts";
import { measureResume } from "./resume.ts";
import { measureScore } from "./score.ts";
import { measureStalled } from "./stalled.ts";
import { measureStartup } from "./startup.ts";
import { type Measure, printMeasures, projectRoot } from "./support.ts";
import { measureThroughput } from "./throughput.ts";
import { measureValidate } from "./validate.ts";

const ALL: Readonly<Record<string, () => Promise<Measure>>> = {
  startup: measureStartup,
  throughput: measureThroughput,
  "http-overhead": measureHttpOverhead,
  "cli-call": measureCliCall,
  stalled: measureStalled,
  resume: measureResume,
  score: measureScore,
  query: measureQuery,
  coverage: measureCoverage,
  pairs: measurePairs,
  validate: measureValidate,
  publish: measurePublish,
};

// What is measured is what the sources say now.
execFileSync(process.execPath, [join(projectRoot, "scripts", "build.mjs")], { stdio: "inherit" });

const asked = process.argv.slice(2);
const measures: Measure[] = [];
for (const [name, measure] of Object.entries(ALL)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.error(`measuring ${name} …`);
  measures.push(await measure());
}
printMeasures(measures);
process.exitCode = measures.every(({ ok }) => ok) ? 0 : 1;

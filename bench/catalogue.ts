// All measures, in the order of the table.
import { measureCliCall } from "./cli-call.ts";
import { measureCoverage } from "./coverage.ts";
import type { Line } from "./figures.ts";
import { measureHttpOverhead } from "./http-overhead.ts";
import { measurePairs } from "./pairs.ts";
import { measurePublish } from "./publish.ts";
import { measureQuery } from "./query.ts";
import { measureReportBuild } from "./report-build.ts";
import { measureResume } from "./resume.ts";
import { measureRivals } from "./rivals/index.ts";
import { measureScore } from "./score.ts";
import { measureStalled } from "./stalled.ts";
import { measureStartup } from "./startup.ts";
import { measureThroughput } from "./throughput.ts";
import { measureValidate } from "./validate.ts";
import { measureViews } from "./views.ts";

export interface Measure {
  readonly name: string;
  readonly about: string;
  readonly take: () => Promise<Line[]>;
}

export const MEASURES: readonly Measure[] = [
  { name: "startup", about: "start of `bench --version`", take: measureStartup },
  {
    name: "rivals",
    about: "rows per second against promptfoo, evalite and a bare loop",
    take: measureRivals,
  },
  {
    name: "throughput",
    about: "rows per second of a longer run against a bare loop",
    take: measureThroughput,
  },
  { name: "http-overhead", about: "what the harness adds to an HTTP call", take: measureHttpOverhead },
  { name: "cli-call", about: "what the harness adds to a call through a command", take: measureCliCall },
  { name: "stalled", about: "a run whose calls never get an answer", take: measureStalled },
  { name: "resume", about: "a long run to its first new call", take: measureResume },
  { name: "score", about: "`bench score` of long runs", take: measureScore },
  { name: "query", about: "`bench sql` over many runs", take: measureQuery },
  { name: "views", about: "each metric view over 10⁴, 10⁵ and 10⁶ rows", take: measureViews },
  { name: "coverage", about: "how often intervals hold the true value", take: measureCoverage },
  { name: "pairs", about: "all pairs of results against plain Python", take: measurePairs },
  { name: "validate", about: "`bench validate` of twenty results", take: measureValidate },
  { name: "publish", about: "`bench publish` beside twenty results", take: measurePublish },
  { name: "report-build", about: "`bench report build` of twenty results", take: measureReportBuild },
];

// Every field of a published result that can be changed is changed once: the change is found, and named by file, line and field.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { promptSha256 } from "../../src/answers/prompt.ts";
import { CLOCK_WARNING, cliVersionsWarning } from "../../src/publish/metadata.ts";
import { problemText } from "../../src/publish/problem.ts";
import { validateWorkspace } from "../../src/publish/validate.ts";
import { openWorkspace } from "../../src/workspace.ts";
import { type Copy, type Loose, makeCopies, type Place } from "../support/copies.ts";

const METADATA = "metadata.json";
const PREDICTIONS = "predictions.jsonl";
const SCORES = "scores.json";

/** The line of the first prediction that `is`, from 1, and the prediction. */
function first(copy: Copy, is: (line: Loose) => boolean): [number, Loose] {
  const index = copy.lines.findIndex(is);
  if (index < 0) throw new Error("there is no such line");
  return [index + 1, copy.lines[index]];
}
const isOk = (line: Loose): boolean => line.status === "ok" && line.attempts.length === 1;
const isFailed = (line: Loose): boolean => line.status !== "ok";
const hasCost = (line: Loose): boolean => isOk(line) && line.cost_usd !== null;

/** Changes the first line that `is`; the problem is expected there, at `field`. */
const line =
  (field: string, change: (line: Loose) => void, is = isOk) =>
  (copy: Copy): Place => {
    const [number, record] = first(copy, is);
    change(record);
    return [PREDICTIONS, number, field];
  };
/** Puts a value into a document at a path of keys; undefined takes it away. */
function put(document: Loose, path: readonly (string | number)[], value: unknown): void {
  const holder = path.slice(0, -1).reduce((part, key) => part[key], document);
  const key = path.at(-1) as string;
  if (value === undefined) delete holder[key];
  else holder[key] = typeof value === "function" ? value(holder[key]) : value;
}
const pathText = (path: readonly (string | number)[]): string =>
  path
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .slice(1);
const metadata =
  (path: readonly (string | number)[], value: unknown, field = pathText(path)) =>
  ({ metadata: document }: Copy): Place => {
    put(document, path, value);
    return [METADATA, null, field];
  };
const scores =
  (path: readonly (string | number)[], value: unknown, field = pathText(path)) =>
  ({ scores: document }: Copy): Place => {
    put(document, path, value);
    return [SCORES, null, field];
  };
const more = (value: number): number => value + 1;
const off = (value: number): number => value * (1 + 1e-6);

/** A result that was made through a command, of these versions, with a warning of those. */
const commanded =
  (versions: readonly string[], warned: readonly string[], field: string, executions = 2) =>
  (copy: Copy): Place => {
    copy.metadata.model.provider = "claude-cli";
    Object.assign(copy.metadata.run, { cli_versions: versions, executions });
    copy.metadata.published_with_warnings = warned.length === 0 ? undefined : [cliVersionsWarning(warned)];
    return [METADATA, null, field];
  };

/** The question of the oracle's rows. */
const QUESTION = "decision";
const said = (_line: Loose, label: string, probabilities: unknown): string =>
  JSON.stringify({ answers: { [QUESTION]: { label, probabilities } } });
/** Prices, and costs that follow from them. */
function priced(copy: Copy): void {
  copy.metadata.pricing = { input_per_mtok: 1, output_per_mtok: 2, cached_input_per_mtok: 0.5 };
  for (const record of copy.lines) {
    for (const attempt of record.attempts) {
      const { input, output, cached_input: cached } = attempt.tokens;
      if (attempt.cost_basis !== "price_table_estimate") continue;
      attempt.cost_usd = (input - (cached ?? 0) + (cached ?? 0) * 0.5 + output * 2) / 1e6;
    }
    const costs = record.attempts.flatMap(({ cost_usd: cost }: Loose) => cost ?? []) as number[];
    if (costs.length > 0) record.cost_usd = costs.reduce((sum, cost) => sum + cost, 0);
  }
}

const CASES: Readonly<Record<string, (copy: Copy) => Place>> = {
  "a colour that is none": metadata(["model", "color"], "red;background:url(x)"),
  "an endpoint that says more than its digest": metadata(["run", "endpoint_id"], "endpoint-llm"),
  "a commit that is none": metadata(["harness", "git_commit"], "main"),
  "a commit of earlier that is none": metadata(["harness", "git_commits", 0], "main"),
  "a negative price": metadata(["pricing"], { input_per_mtok: -1 }, "pricing.input_per_mtok"),
  // Predictions.
  "flip correct": line("correct", (l) => (l.correct = !l.correct)),
  "swap gold": line("gold", (l) => (l.gold = Object.keys(l.probabilities).find((k) => k !== l.gold))),
  "another answer": line("confidence", (l) => {
    l.answer = Object.keys(l.probabilities).find((k) => k !== l.answer);
  }),
  "an answer outside": line("answer", (l) => (l.answer = "elsewhere")),
  "drop a row": (copy) => {
    copy.lines.splice(3, 1);
    return [PREDICTIONS, null, ""];
  },
  "repeat a row": (copy) => {
    copy.lines.splice(4, 0, copy.lines[3]);
    return [PREDICTIONS, 5, "row_id"];
  },
  "swap two rows": (copy) => {
    [copy.lines[6], copy.lines[7]] = [copy.lines[7], copy.lines[6]];
    return [PREDICTIONS, 8, "row_id"];
  },
  "foreign row": line("row_id", (l) => (l.row_id = "nobody-1")),
  task: line("task", (l) => (l.task = "FIN-1")),
  category: line("category", (l) => (l.category = "finance")),
  confidence: line("confidence", (l) => (l.confidence = off(l.confidence))),
  "confidence away": line("confidence", (l) => (l.confidence = null)),
  "one probability": line("probabilities", (l) => {
    const other = Object.keys(l.probabilities).find((k) => k !== l.answer) as string;
    l.probabilities[other] += 1e-7;
  }),
  "negative probability": line("probabilities.elsewhere", (l) => (l.probabilities.elsewhere = -1)),
  "extra option": line("probabilities.extra", (l) => (l.probabilities.extra = 0)),
  "missing option": line("probabilities.yes", (l) => delete l.probabilities.yes),
  "__proto__ as option": line("probabilities.__proto__", (l) => {
    l.probabilities = JSON.parse(`${JSON.stringify(l.probabilities).slice(0, -1)},"__proto__":0}`);
  }),
  "__proto__ as answer": line("answer", (l) => (l.answer = "__proto__")),
  "probabilities as list": line("probabilities", (l) => (l.probabilities = [1])),
  cost: line("cost_usd", (l) => (l.cost_usd = off(l.cost_usd)), hasCost),
  "cost of an attempt": line("cost_usd", (l) => (l.attempts[0].cost_usd = off(l.cost_usd)), hasCost),
  "cost away": line("attempts[0].cost_basis", (l) => (l.attempts[0].cost_usd = null), hasCost),
  "cost of no basis": line(
    "attempts[0].cost_usd",
    (l) => (l.attempts[0].cost_basis = "unavailable"),
    hasCost,
  ),
  "negative cost": line("cost_usd", (l) => (l.cost_usd = -1)),
  cost_basis: line("cost_basis", (l) => l.cost_basis.push("provider_reported")),
  "unknown basis": line("cost_basis[0]", (l) => (l.cost_basis = ["guessed"])),
  tokens: line("tokens.input", (l) => (l.tokens.input = more(l.tokens.input))),
  "tokens unknown": line("tokens.output", (l) => (l.tokens.output = null)),
  "tokens invented": line("tokens.reasoning_output", (l) => (l.tokens.reasoning_output = 0)),
  "tokens of an attempt": line("tokens.input", (l) => (l.attempts[0].tokens.input = more(l.tokens.input))),
  "half a token": line("tokens.input", (l) => (l.tokens.input = 0.5)),
  "status to error": line("error", (l) => (l.status = "500")),
  "status to ok": line("error", (l) => (l.status = "ok"), isFailed),
  "status of an attempt": line("status", (l) => (l.attempts[0].status = "500")),
  "an attempt that never finished": line(
    "attempts[0].duration_ms",
    (l) => (l.attempts[0].status = "incomplete"),
  ),
  "no attempt": line("attempts", (l) => (l.attempts = [])),
  "attempt without a time": line("attempts[0].duration_ms", (l) => (l.attempts[0].duration_ms = null)),
  "negative time of an attempt": line("attempts[0].duration_ms", (l) => (l.attempts[0].duration_ms = -1)),
  "negative latency": line("latency_ms", (l) => (l.latency_ms = -0.5)),
  "error of a row": line("error", (l) => (l.error = "Something else"), isFailed),
  "error of a good row": line("error", (l) => (l.error = "Provider error")),
  "error of an attempt": line("attempts[0].error", (l) => (l.attempts[0].error = "HTTP 418"), isFailed),
  "answer of a failed row": line("answer", (l) => (l.answer = l.gold), isFailed),
  "correct of a failed row": line("correct", (l) => (l.correct = true), isFailed),
  "output of a failed row": line("output_text", (l) => (l.output_text = "yes"), isFailed),
  images_sent: line("images_sent", (l) => (l.images_sent = -1)),
  "half a picture": line("images_sent", (l) => (l.images_sent = 0.5)),
  "unknown source": line("probability_source", (l) => (l.probability_source = "guessed")),
  "label-only with probabilities": line("probability_source", (l) => (l.probability_source = "label-only")),
  output_truncated: line("output_truncated", (l) => (l.output_truncated = true)),
  "long output": line("output_text", (l) => (l.output_text = "é".repeat(20_001))),
  "an answer that the model did not give": line("answer", (l) => {
    const other = Object.keys(l.probabilities).find((k) => k !== l.answer) as string;
    l.output_text = said(l, other, l.probabilities);
  }),
  "an answer that the model did not give, in a fence": line("answer", (l) => {
    const other = Object.keys(l.probabilities).find((k) => k !== l.answer) as string;
    l.output_text = `\`\`\`json\n${said(l, other, l.probabilities)}\n\`\`\``;
  }),
  "an answer where a native provider gave none": (copy) => {
    copy.metadata.model.provider = "laya";
    return line("answer", (l) => {
      l.output_text = JSON.stringify({ answers: { [QUESTION]: { choice: null } } });
    })(copy);
  },
  "no answer of a chat model, and no error either": line("answer", (l) => {
    Object.assign(l, { answer: null, probabilities: null, confidence: null, correct: false });
  }),
  "probabilities left out that the model gave": line("probabilities", (l) => {
    l.output_text = said(l, l.answer, l.probabilities);
    Object.assign(l, { probabilities: null, confidence: null, probability_source: "label-only" });
  }),
  "probabilities left out": line("probabilities", (l) => {
    Object.assign(l, { probabilities: null, confidence: null });
  }),
  "probabilities of another kind of provider": line("probability_source", (l) => {
    l.probability_source = "baseline";
  }),
  "a probability just beside the one that the model gave": (copy) => {
    const [number, record] = first(copy, isOk);
    record.output_text = said(record, record.answer, { yes: 0.9, no: 0.1 });
    record.answer = "yes";
    record.output_text = said(record, "yes", { yes: 0.9, no: 0.1 });
    record.probabilities = { yes: 0.9 - 8e-10, no: 0.1 + 8e-10 };
    return [PREDICTIONS, number, "probabilities.yes"];
  },
  "an estimate left out": (copy) => {
    priced(copy);
    copy.metadata.prompt_sha256 = promptSha256();
    const [number, record] = first(copy, hasCost);
    Object.assign(record.attempts[0], { cost_usd: null, cost_basis: "unavailable" });
    return [PREDICTIONS, number, "attempts[0].cost_usd"];
  },
  "an answer without a call": line(
    "attempts",
    (l) => Object.assign(l, { attempts: [], latency_ms: null }),
    isFailed,
  ),
  "tokens of a call that never finished": line("attempts[0].tokens.input", (l) => {
    const { tokens } = l.attempts[0];
    l.attempts.unshift({
      status: "incomplete",
      error: null,
      duration_ms: null,
      cost_usd: null,
      cost_basis: "unavailable",
      tokens: { ...tokens, input: 99_999_999 },
    });
  }),
  "probabilities that the model did not give": line("probabilities.no", (l) => {
    l.output_text = said(l, l.answer, { yes: 0.5, no: 0.5 });
  }),
  "an estimate by other prices": (copy) => {
    copy.metadata.pricing = { input_per_mtok: 1, output_per_mtok: 2 };
    return [PREDICTIONS, 1, "attempts[0].cost_usd"];
  },
  "an estimate without tokens": (copy) => {
    priced(copy);
    const [number, record] = first(copy, hasCost);
    record.tokens.output = record.attempts[0].tokens.output = null;
    return [PREDICTIONS, number, "attempts[0].cost_usd"];
  },
  "a cost beyond everything": line("attempts[0].cost_usd", (l) => {
    l.attempts[0].cost_usd = l.cost_usd = 1e308;
  }),
  "a time beyond everything": line("latency_ms", (l) => (l.latency_ms = 1e308)),
  "a row that was faster than its call": line("latency_ms", (l) => (l.latency_ms = 0)),
  "no time of a row that was called": line("latency_ms", (l) => (l.latency_ms = null)),
  "more pictures than the row has": line("images_sent", (l) => (l.images_sent = 1)),
  "missing key": line("gold", (l) => delete l.gold),
  "missing key of an attempt": line("attempts[0].error", (l) => delete l.attempts[0].error),
  "missing tokens": line("tokens.cached_input", (l) => delete l.tokens.cached_input),
  "text as flag": line("correct", (l) => (l.correct = "true")),
  "NaN as latency": (copy) => {
    copy.text(PREDICTIONS, (text) => text.replace(/"latency_ms":[0-9.]+/, '"latency_ms":NaN'));
    return [PREDICTIONS, 1, ""];
  },
  "half a surrogate pair": line("", (l) => (l.output_text = "\ud800")),
  "byte order mark": (copy) => {
    copy.text(PREDICTIONS, (text) => `\ufeff${text}`);
    return [PREDICTIONS, 1, ""];
  },
  "NUL byte": (copy) => {
    copy.text(PREDICTIONS, (text) => text.replace('"output_text":"', '"output_text":"\0'));
    return [PREDICTIONS, 1, ""];
  },
  "torn last line": (copy) => {
    copy.text(PREDICTIONS, (text) => text.slice(0, -1));
    return [PREDICTIONS, 427, ""];
  },
  "empty line": (copy) => {
    copy.text(PREDICTIONS, (text) => `\n${text}`);
    return [PREDICTIONS, 1, ""];
  },
  "repeated key": (copy) => {
    copy.text(PREDICTIONS, (text) => text.replace("{", '{"correct":true,'));
    return [PREDICTIONS, 1, ""];
  },
  "deep nesting": (copy) => {
    copy.text(PREDICTIONS, (text) => text.replace("{", `{"x":${"[".repeat(5000)}${"]".repeat(5000)},`));
    return [PREDICTIONS, 1, ""];
  },

  // Scores.
  "a float of the scores": scores(["overall", "accuracy"], off),
  "a count of the scores": scores(["overall", "correct"], more),
  errors: scores(["overall", "errors"], more),
  "macro F1": scores(["overall", "macro_task_f1"], off),
  "wilson low": scores(["overall", "wilson95", 0], off),
  "wilson high": scores(["overall", "wilson95", 1], (value: number) => value * (1 - 1e-6)),
  "wilson shortened": scores(["overall", "wilson95"], (value: number[]) => value.slice(0, 1)),
  "no interval": scores(["overall", "wilson95"], null),
  "a task": scores(["by_task", 3, "accuracy"], off),
  "a task's interval": scores(["by_task", 3, "wilson95", 0], off),
  "a task's category": scores(["by_task", 3, "category"], "legal"),
  "a task's name": scores(["by_task", 3, "name"], "Another"),
  "a task's id": scores(["by_task", 3, "id"], "ENG-9"),
  "a task away": scores(["by_task"], (tasks: unknown[]) => tasks.slice(0, -1)),
  "a task twice": scores(["by_task"], (tasks: unknown[]) => [...tasks, tasks[0]]),
  "tasks reversed": scores(["by_task"], (tasks: unknown[]) => [...tasks].reverse(), "by_task[0].id"),
  "a category": scores(["by_category", 1, "correct"], more),
  "a kind of source": scores(["by_source_kind", 0, "rows"], more),
  "no kinds of source": scores(["by_source_kind"], undefined),
  brier: scores(["calibration", "brier"], off),
  log_loss: scores(["calibration", "log_loss"], off),
  ece: scores(["calibration", "ece"], null),
  "high confidence": scores(["calibration", "high_confidence_errors"], more),
  "no calibration": scores(["calibration"], undefined),
  "cost of all": scores(["cost", "usd"], off),
  "cost coverage": scores(["cost", "coverage"], off),
  "cost basis": scores(["cost", "basis"], (basis: unknown[]) => basis.slice(1)),
  "cost per 1000": scores(["cost", "per_1000_rows_usd"], off),
  p50: scores(["latency_ms", "p50"], off),
  p95: scores(["latency_ms", "p95"], off),
  p99: scores(["latency_ms", "p99"], null),
  mean: scores(["latency_ms", "mean"], undefined),
  "tokens in": scores(["tokens", "input"], more),
  "tokens cached": scores(["tokens", "cached_input"], 0),
  "tokens coverage": scores(["tokens", "coverage"], off),
  attempts: scores(["attempts", "attempts"], more),
  retries: scores(["attempts", "retries"], more),
  incomplete: scores(["attempts", "incomplete_attempts"], more),
  "extensions of another shape": scores(["extensions"], {}, "extensions.calibration"),
  "a number as extensions": scores(["extensions"], 5),
  extensions: scores(["extensions"], { jackknife_se: 0 }, "extensions.jackknife_se"),
  "scores of another model": scores(["model_id"], "alpha"),
  "scores of another suite": scores(["suite"], "oracle-2"),
  "scores of another corpus": scores(["corpus_sha256"], "0".repeat(64)),
  "version of the scores": scores(["schema_version"], 2),
  "a huge integer": scores(["overall", "rows"], 1e300),
  "a list as number": scores(["overall", "rows"], [427]),

  // Metadata.
  "model.id with a path": metadata(["model", "id"], "../../x"),
  "model.id of another": metadata(["model", "id"], "alpha"),
  suite: metadata(["suite"], "oracle-2"),
  schema_version: metadata(["schema_version"], "1"),
  digest: metadata(["corpus", "sha256"], "0".repeat(64)),
  "digest in upper case": metadata(["corpus", "sha256"], "A".repeat(64)),
  "corpus version": metadata(["corpus", "version"], "1.0.1"),
  "corpus current": metadata(["corpus", "current"], "yes"),
  "no provider": metadata(["model", "provider"], undefined),
  "no prompt": metadata(["prompt_version"], undefined),
  "no totals": metadata(["totals"], undefined),
  "no run": metadata(["run"], undefined),
  "jobs below none": metadata(["run", "jobs"], -1),
  "unknown status": metadata(["run", "status"], "done"),
  "status against errors": metadata(["run", "status"], "completed"),
  "a run that goes on": metadata(["run", "status"], "running", "published_with_warnings"),
  "times reversed": metadata(["run", "completed_at"], "2026-09-23T12:59:59+00:00"),
  "published too early": metadata(["run", "published_at"], "2026-09-23T14:29:59+01:00"),
  "a day that is none": metadata(["run", "created_at"], "2026-02-31T00:00:00Z"),
  "a command's version that is none": commanded(["latest"], [], "run.cli_versions[0]"),
  "no version of a command": commanded([], [], "run.cli_versions"),
  "a version twice": commanded(["2.1.3", "2.1.3"], [], "run.cli_versions"),
  "more versions than invocations": commanded(["1.0", "1.1"], ["1.0", "1.1"], "run.cli_versions", 1),
  "versions without the warning": commanded(["1.0", "1.1"], [], "published_with_warnings"),
  "a warning of other versions": commanded(["1.0", "1.1"], ["1.0", "1.2"], "published_with_warnings"),
  "a warning of versions without them": commanded(["1.0"], ["1.0", "1.1"], "published_with_warnings"),
  "a version of no command": (copy) => {
    commanded(["2.1.3"], [], "")(copy);
    return metadata(["model", "provider"], "openai-compatible", "run.cli_versions")(copy);
  },
  "an hour that is none": metadata(["run", "published_at"], "2026-09-23T24:00:00Z"),
  "times reversed, with another warning": (copy) => {
    copy.metadata.published_with_warnings = ["it is fine"];
    return metadata(["run", "completed_at"], "2026-09-23T12:59:59+00:00")(copy);
  },
  "a prompt of its own": metadata(["prompt_sha256"], "ab".repeat(32)),
  "completed at no time": metadata(["run", "completed_at"], null),
  "completed with rows left": (copy) => {
    copy.lines.splice(400);
    Object.assign(copy.metadata.coverage, { rows_completed: 400, full: false });
    copy.metadata.published_with_warnings = ["it covers 400 of 427 rows"];
    return [METADATA, null, "run.status"];
  },
  "rows left without the warning": (copy) => {
    copy.metadata.prompt_sha256 = promptSha256();
    copy.lines.splice(400);
    Object.assign(copy.metadata.coverage, { rows_completed: 400, full: false });
    copy.metadata.published_with_warnings = ["Nothing is missing here."];
    return [METADATA, null, "published_with_warnings"];
  },
  "no extensions": (copy) => {
    copy.metadata.analysis_version = "v1";
    delete copy.scores.extensions;
    return [SCORES, null, "extensions"];
  },
  "no invocation": metadata(["run", "executions"], 0),
  "no call at once": metadata(["run", "jobs"], 0),
  "no try": metadata(["run", "max_attempts"], 0),
  "no time for a call": metadata(["run", "timeout_seconds"], 0),
  "not the active corpus": (copy) => {
    copy.metadata.analysis_version = "v1";
    return metadata(["corpus", "current"], false)(copy);
  },
  "a time that is none": metadata(["run", "created_at"], "yesterday"),
  "rows in corpus": metadata(["coverage", "rows_in_corpus"], more),
  "rows selected": metadata(["coverage", "rows_selected"], 426),
  "rows selected beyond": metadata(["coverage", "rows_selected"], 428),
  "rows completed": metadata(["coverage", "rows_completed"], (n: number) => n - 1),
  "rows ok": metadata(["coverage", "rows_ok"], more),
  "rows with errors": metadata(["coverage", "rows_error"], more),
  full: metadata(["coverage", "full"], false),
  "no coverage.full": metadata(["coverage", "full"], undefined),
  analysis_version: metadata(["analysis_version"], "v99"),
  "total correct": metadata(["totals", "correct"], more),
  "total accuracy": metadata(["totals", "accuracy"], off),
  "total wilson": metadata(["totals", "wilson95", 0], off),
  "total errors": metadata(["totals", "errors"], more),
  "total cost": metadata(["totals", "cost_usd"], off),
  "total cost coverage": metadata(["totals", "cost_coverage"], off),
  "total tokens in": metadata(["totals", "input_tokens"], more),
  "total tokens out": metadata(["totals", "output_tokens"], null),
  "total latency": metadata(["totals", "latency_p50_ms"], off),

  // The folder.
  "an extra file": (copy) => {
    copy.after((folder) => writeFileSync(join(folder, "notes.txt"), "x"));
    return ["notes.txt", null, ""];
  },
  "an extra folder": (copy) => {
    copy.after((folder) => mkdirSync(join(folder, "more")));
    return ["more", null, ""];
  },
  "a link": (copy) => {
    copy.after((folder) => symlinkSync("/etc/hostname", join(folder, "README.md")));
    return ["README.md", null, ""];
  },
};

test(`${Object.keys(CASES).length} falsifications are found and named`, async () => {
  expect(Object.keys(CASES).length).toBeGreaterThan(60);
  const copies = makeCopies();
  const ids = new Map<string, string>();
  const places = new Map<string, Place>();
  for (const [index, [name, edit]] of Object.entries(CASES).entries()) {
    const id = `case-${index}`;
    ids.set(name, id);
    places.set(name, copies.add(id, "charlie", edit));
  }
  copies.add("control", "charlie", () => {});
  // Its figures are others now, its lines are as they should be.
  copies.add("priced", "alpha", priced);
  copies.add("set-back", "alpha", ({ metadata: document }) => {
    document.run.published_at = document.run.created_at;
    document.published_with_warnings = [CLOCK_WARNING];
  });
  copies.add("two-versions", "alpha", commanded(["1.0", "1.1"], ["1.0", "1.1"], ""));
  const { root } = copies;
  const report = await validateWorkspace(openWorkspace({ root, cwd: root, env: {} }));
  const wrong: string[] = [];
  for (const [name, [file, number, field]] of places) {
    const folder = `results/oracle-1/${ids.get(name)}/`;
    const problems = report.problems.filter((problem) => problem.file.startsWith(folder));
    const isFound = problems.some(
      (problem) => problem.file === folder + file && problem.line === number && problem.field === field,
    );
    if (!isFound) wrong.push(`${name}: ${JSON.stringify(problems.map(problemText))}`);
  }
  expect(wrong).toEqual([]);
  expect(
    report.problems.filter(({ file }) => /control|set-back|two-versions|priced\/pred/.test(file)),
  ).toEqual([]);
});

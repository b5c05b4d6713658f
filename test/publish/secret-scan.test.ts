// A key, a host or a home folder in a published file is found wherever it stands, and never repeated.
import { writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { problemText } from "../../src/publish/problem.ts";
import { validateWorkspace } from "../../src/publish/validate.ts";
import { openWorkspace, packageRoot } from "../../src/workspace.ts";
import { type Copy, makeCopies, type Place } from "../support/copies.ts";

const KEY = "marked-key-4711-0815";
const HOST = "models.marked-host.example";
const ENV = {
  DECISION_BENCH_API_KEY: KEY,
  DECISION_BENCH_BASE_URL: `https://${HOST}/v1`,
  HOME: "/srv/marked/home-of-somebody",
};
const SHAPED = "sk-marked0123456789abcdef";
const MARKS = [KEY, HOST, SHAPED, "marked"];

const output =
  (text: string) =>
  ({ lines }: Copy): Place => {
    lines[4].output_text = `Well, ${text} it is.`;
    return ["predictions.jsonl", 5, "output_text"];
  };
const page =
  (name: string, text: string) =>
  (copy: Copy): Place => {
    copy.after((folder) => writeFileSync(join(folder, name), `# Title\n\nSome ${text} here\n`));
    return [name, 3, ""];
  };

const CASES: Readonly<Record<string, readonly [kind: string, edit: (copy: Copy) => Place]>> = {
  "a key in an output": ["a configured key", output(KEY)],
  "a key in base64": ["a configured key", output(Buffer.from(`x${KEY}`).toString("base64"))],
  "a key percent-encoded": ["a configured key", output(KEY.replaceAll("-", "%2D"))],
  "a key in upper case": ["a configured key", output(KEY.toUpperCase())],
  "a key with an escape": [
    "a configured key",
    (copy) => {
      copy.text("predictions.jsonl", (text) =>
        text.replace('"output_text":"{}"', `"output_text":"${KEY.replace("m", "\\u006d")}"`),
      );
      return ["predictions.jsonl", 1, "output_text"];
    },
  ],
  "a key by its shape": ["a text like a key", output(SHAPED)],
  "a configured URL": ["a configured URL", output(`https://${HOST}/v1/chat`)],
  "a configured host": ["a configured host", output(HOST)],
  "this home folder": ["a home folder", output(`${ENV.HOME}/notes`)],
  "this program's folder": ["an install folder", output(`${packageRoot}/src`)],
  "a key in an unknown field": [
    "a configured key",
    ({ lines }) => {
      lines[1].note = { deep: ["x", KEY] };
      return ["predictions.jsonl", 2, "note.deep[1]"];
    },
  ],
  "a key as a label": [
    "a text like a key",
    ({ lines }) => {
      lines[1].probabilities[SHAPED] = 0;
      return ["predictions.jsonl", 2, "probabilities.[redacted]"];
    },
  ],
  "a key in a line that is no JSON": [
    "a configured key",
    (copy) => {
      copy.text("predictions.jsonl", (text) => `${KEY}\n${text}`);
      return ["predictions.jsonl", 1, ""];
    },
  ],
  "an address in an error": [
    "an address",
    ({ lines }) => {
      const index = lines.findIndex((line) => line.status !== "ok");
      lines[index].error = "cannot reach llm.marked.internal:8080";
      return ["predictions.jsonl", index + 1, "error"];
    },
  ],
  "a home folder in an attempt's error": [
    "a home folder",
    ({ lines }) => {
      const index = lines.findIndex((line) => line.status !== "ok");
      lines[index].attempts[0].error = "no such file: /home/marked/x";
      return ["predictions.jsonl", index + 1, "attempts[0].error"];
    },
  ],
  "a key in the scores": [
    "a configured key",
    ({ scores }) => {
      scores.by_task[2].name = `Task ${KEY}`;
      return ["scores.json", null, "by_task[2].name"];
    },
  ],
  "a key in the metadata": [
    "a configured key",
    ({ metadata }) => {
      metadata.request.extra = KEY;
      return ["metadata.json", null, "request.extra"];
    },
  ],
  "an address in the metadata": [
    "looks like an address",
    ({ metadata }) => {
      metadata.model.api_model = "http://10.1.2.3/marked";
      return ["metadata.json", null, "model.api_model"];
    },
  ],
  "somebody's home in the metadata": [
    "a home folder",
    ({ metadata }) => {
      metadata.run.platform.where = "C:\\Users\\Marked\\bench";
      return ["metadata.json", null, "run.platform.where"];
    },
  ],
  "a credential by its name": [
    "is the name of a credential",
    ({ metadata }) => {
      metadata.request.api_key = "short";
      return ["metadata.json", null, "request.api_key"];
    },
  ],
  "a key in README.md": ["a configured key", page("README.md", KEY)],
  "an address in README.md": ["an address", page("README.md", "https://marked.example/x")],
  "a home folder in README.md": ["a home folder", page("README.md", "/Users/marked/bench")],
  "a temporary folder in README.md": ["a temporary folder", page("README.md", `${tmpdir()}/marked-x`)],
};

test("every secret is found where it stands, called by its kind, and not repeated", async () => {
  const copies = makeCopies();
  const places = Object.entries(CASES).map(([name, [kind, edit]], index) => {
    const id = `case-${index}`;
    return { name, kind, folder: `results/oracle-1/${id}/`, place: copies.add(id, "bravo", edit) };
  });
  const { root } = copies;
  writeFileSync(join(copies.results, "leaderboard.md"), `see ${HOST}\n`);
  writeFileSync(join(copies.results, "leaderboard.json"), JSON.stringify({ note: [KEY] }));
  const report = await validateWorkspace(openWorkspace({ root, cwd: root, env: ENV }));
  const wrong: string[] = [];
  for (const { name, kind, folder, place } of places) {
    const [file, line, field] = place;
    const own = report.problems.filter((problem) => problem.file.startsWith(folder));
    const found = own.filter(
      (problem) =>
        problem.file === folder + file &&
        problem.line === line &&
        problem.field === field &&
        problem.message.includes(kind),
    );
    if (found.length !== 1) wrong.push(`${name}: ${own.map(problemText).join(" | ")}`);
  }
  expect(wrong).toEqual([]);
  expect(report.problems.map(problemText)).toEqual(
    expect.arrayContaining([
      "results/oracle-1/leaderboard.md:1: holds a configured host: take it out, and publish again",
      "results/oracle-1/leaderboard.json: note[0]: holds a configured key: take it out, and publish again",
    ]),
  );
  const said = JSON.stringify({ ...report, notices: [] }).toLowerCase();
  for (const mark of MARKS) expect(said).not.toContain(mark);
});

test("names, prices and what a model says of hosts and folders are no secrets", async () => {
  const copies = makeCopies();
  copies.add("bravo", "bravo", (copy) => {
    const { metadata, lines } = copy;
    metadata.model.label = "Z.ai Large";
    metadata.model.vendor = "Example.com";
    metadata.pricing = { source_url: "https://example.org/prices", as_of: "2026-01-01" };
    lines[0].output_text = "Ask localhost:8080 or https://example.org, see /home/alice, /tmp/x and 10.0.0.1";
    copy.after((folder) =>
      writeFileSync(
        join(folder, "README.md"),
        "Z.ai Large by Example.com, [prices](https://example.org/prices), in ./scores.json\n",
      ),
    );
  });
  const { root } = copies;
  const env = { HOME: homedir(), LAYA_BASE_URL: "http://127.0.0.1:9/v1" };
  const report = await validateWorkspace(openWorkspace({ root, cwd: root, env }));
  expect(report.problems.map(problemText)).toEqual([]);
});

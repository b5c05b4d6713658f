// The least that an evaluation can be: undici, a body of the same size, and the same three appends with the same
// durability (results synced in groups; attempts and raw output written, and synced once a second). No parsing of answers, no redaction, no resume.
import { mkdtempSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { stringifyJson } from "../src/answers/json.ts";
import { caseOf } from "../test/support/scratch.ts";

const [baseUrl = "", total = "5000", jobs = "32"] = process.argv.slice(2);
const url = new URL(baseUrl);
const rows = Number(total);
const folder = mkdtempSync(join(tmpdir(), "decision-bench-bare-"));

/** Appends lines in groups; resolves an append after the fdatasync that covers it. */
class Appender {
  #lines: { text: string; done: () => void }[] = [];
  #busy = false;
  readonly file: FileHandle;
  readonly durable: boolean;
  constructor(file: FileHandle, durable: boolean) {
    this.file = file;
    this.durable = durable;
  }
  append(text: string): Promise<void> {
    return new Promise((done) => {
      this.#lines.push({ text, done });
      if (!this.#busy) void this.#flush();
    });
  }
  async #flush(): Promise<void> {
    this.#busy = true;
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      await this.file.appendFile(lines.map((line) => `${line.text}\n`).join(""));
      if (this.durable) await this.file.datasync();
      for (const line of lines) line.done();
    }
    this.#busy = false;
  }
}

const openIn = (name: string): Promise<FileHandle> => open(join(folder, name), "a");
const results = new Appender(await openIn("results.jsonl"), true);
const attempts = new Appender(await openIn("attempts.jsonl"), false);
const raw = new Appender(await openIn("raw.jsonl"), false);
const pool = new Pool(url.origin, { connections: Number(jobs), pipelining: 1 });

// Made before the clock starts: a bare loop has no corpus to read.
const bodies = Array.from({ length: rows }, (_, index) => bodyOf(index));

function bodyOf(index: number): string {
  const row = caseOf(index) as { state: unknown; questions: [{ options: Record<string, string> }] };
  const labels = Object.keys(row.questions[0].options);
  return stringifyJson({
    model: "bench",
    messages: [{ role: "user", content: JSON.stringify([row.state, row.questions]) }],
    response_format: { json_schema: { schema: { enum: labels } } },
  });
}

let next = 0;
async function worker(): Promise<void> {
  while (next < rows) {
    const index = next;
    next += 1;
    const answer = await pool.request({
      path: `${url.pathname}/chat/completions`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: bodies[index] ?? "",
    });
    const text = await answer.body.text();
    const parsed = JSON.parse(text) as { choices: [{ message: { content: string } }] };
    const record = JSON.stringify({
      row: index,
      content: parsed.choices[0].message.content,
      padding: "x".repeat(900),
    });
    await Promise.all([
      attempts.append(JSON.stringify({ row: index, padding: "x".repeat(600) })),
      raw.append(text),
      results.append(record),
    ]);
  }
}

const begun = performance.now();
const lazy = setInterval(() => Promise.all([attempts.file.datasync(), raw.file.datasync()]), 1000);
await Promise.all(Array.from({ length: Number(jobs) }, worker));
clearInterval(lazy);
const seconds = (performance.now() - begun) / 1000;
await Promise.all([results, attempts, raw].map((appender) => appender.file.close()));
await pool.close();
rmSync(folder, { recursive: true });
console.log(JSON.stringify({ rows, seconds, rate: rows / seconds }));

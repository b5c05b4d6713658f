// The least that an evaluation can be: `node bare-loop.mjs <base URL> <file with a body a line> <calls in flight>`. undici,
// the very bodies that the harness sends, and the same three appends with the same durability (results synced in groups;
// attempts and raw output written, and synced once a second). No checking of answers, no redaction, no resume.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Pool } from "undici";

const [baseUrl = "", file = "", jobs = "32"] = process.argv.slice(2);
const url = new URL(baseUrl);
const bodies = readFileSync(file, "utf8").trimEnd().split("\n");
const folder = mkdtempSync(join(tmpdir(), "decision-bench-bare-"));

/** Appends lines in groups; resolves an append after the fdatasync that covers it. */
class Appender {
  #lines = [];
  #busy = false;
  constructor(file, durable) {
    this.file = file;
    this.durable = durable;
  }
  append(text) {
    return new Promise((done, failed) => {
      this.#lines.push({ text, done });
      if (!this.#busy) this.#flush().catch(failed);
    });
  }
  async #flush() {
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

const openIn = (name) => open(join(folder, name), "a");
const results = new Appender(await openIn("results.jsonl"), true);
const attempts = new Appender(await openIn("attempts.jsonl"), false);
const raw = new Appender(await openIn("raw.jsonl"), false);
const pool = new Pool(url.origin, { connections: Number(jobs), pipelining: 1 });

let next = 0;
async function worker() {
  while (next < bodies.length) {
    const index = next;
    next += 1;
    const answer = await pool.request({
      path: `${url.pathname}/chat/completions`,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: bodies[index],
    });
    const text = await answer.body.text();
    const { content } = JSON.parse(text).choices[0].message;
    const record = JSON.stringify({ row: index, content, padding: "x".repeat(900) });
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
console.log(JSON.stringify({ rows: bodies.length, seconds, rate: bodies.length / seconds }));

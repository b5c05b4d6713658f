// docs/own-corpus.md promises that its commands run as they stand, one after the other.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/workspace.ts";
import { bench } from "../support/bench.ts";

test("every file and every command of the walkthrough works", async () => {
  const text = readFileSync(join(packageRoot, "docs", "own-corpus.md"), "utf8");
  const root = mkdtempSync(join(tmpdir(), "decision-bench-own-"));
  try {
    for (const folder of ["config", "data/corpus"]) {
      cpSync(join(packageRoot, folder), join(root, folder), { recursive: true });
    }
    const run: string[] = [];
    for (const [, info = "", body = ""] of text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)) {
      const file = / file=(\S+)$/.exec(info)?.[1];
      if (file !== undefined) writeFileSync(join(root, file), body);
      else {
        expect(info).toBe("sh");
        for (const line of body.trim().split("\n")) {
          const [program, ...args] = line.match(/"[^"]*"|\S+/g) ?? [];
          expect(program).toBe("bench");
          const done = await bench(
            root,
            args.map((arg) => arg.replaceAll('"', "")),
          );
          expect(done.code, `${line}\n${done.stderr}`).toBe(0);
          run.push(line);
          if (line === "bench runs") {
            expect(done.stdout).toMatch(/^baseline-lexical-tickets-\w+ +baseline-lexical +completed +4\/4/m);
          }
        }
      }
    }
    expect(run).toHaveLength(11);
    const list = JSON.parse((await bench(root, ["corpus", "list", "--json"])).stdout);
    expect(list.active).toBe("visits");
    expect(list.corpora.map((one: { name: string }) => one.name)).toEqual([
      "bench-v4",
      "theirs",
      "tickets",
      "tickets-2",
      "visits",
    ]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, parse } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UserError } from "../src/errors.ts";
import {
  assertOwnWorkspace,
  type Environment,
  openWorkspace,
  packageRoot,
  packageVersion,
} from "../src/workspace.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "bench-where-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** A folder that is a workspace. */
function workspace(name: string): string {
  const root = join(home, name);
  mkdirSync(join(root, "data", "corpus"), { recursive: true });
  writeFileSync(join(root, "data", "corpus", "current.json"), "{}");
  return root;
}

const [outer, inner, other] = [workspace("outer"), workspace("outer/inner"), workspace("other")];
const deep = join(inner, "a", "b");
const plain = join(home, "plain");

beforeAll(() => {
  mkdirSync(deep, { recursive: true });
  mkdirSync(join(outer, "beside", "data"), { recursive: true });
  mkdirSync(plain);
});

const rootOf = (cwd: string, root?: string, env: Environment = {}): string =>
  openWorkspace({ root, cwd, env }).root;

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    expect(error.exitCode).toBe(2);
    expect(error.message).toMatch(/^\P{Cc}+$/u);
    return error.message;
  }
  return expect.unreachable("it is accepted");
}

describe("the workspace is", () => {
  test("that of --root before anything else", () => {
    expect(rootOf(inner, other, { DECISION_BENCH_ROOT: outer })).toBe(other);
  });

  test("that of DECISION_BENCH_ROOT before the current folder", () => {
    expect(rootOf(inner, undefined, { DECISION_BENCH_ROOT: other })).toBe(other);
  });

  test("the nearest folder above that holds data/corpus/current.json", () => {
    expect(rootOf(deep)).toBe(inner);
    expect(rootOf(inner)).toBe(inner);
    expect(rootOf(join(outer, "beside", "data"))).toBe(outer);
    expect(rootOf(join(outer, "data", "corpus"))).toBe(outer);
  });

  test("that of the current folder when DECISION_BENCH_ROOT is empty", () => {
    expect(rootOf(deep, undefined, { DECISION_BENCH_ROOT: "" })).toBe(inner);
    expect(rootOf(deep, undefined, { DECISION_BENCH_ROOT: undefined })).toBe(inner);
  });

  test("the package's own folder when no folder above is one", () => {
    expect(rootOf(plain)).toBe(packageRoot);
    expect(rootOf(parse(home).root)).toBe(packageRoot);
    expect(rootOf(join(home, "does", "not", "exist"))).toBe(packageRoot);
  });

  test("told when nobody has chosen it, and only then", () => {
    const said: string[] = [];
    const open = (cwd: string, root?: string): unknown =>
      openWorkspace({ root, cwd, env: {}, notify: (message) => said.push(message) });
    open(deep);
    open(plain, "../other");
    open(packageRoot);
    expect(said).toEqual([]);
    open(plain);
    expect(said).toEqual([
      expect.stringContaining(`the program's own folder, ${packageRoot}. Name another with --root`),
    ]);
  });

  test("found relative to the current folder", () => {
    expect(rootOf(deep, "../..")).toBe(inner);
    expect(rootOf(home, "other/")).toBe(other);
    expect(rootOf(deep, undefined, { DECISION_BENCH_ROOT: "../../../../other" })).toBe(other);
  });

  test("where its files are", () => {
    expect(openWorkspace({ root: other, cwd: home, env: {} })).toMatchObject({
      root: other,
      modelsFile: join(other, "config", "models.json"),
      corpusPointer: join(other, "data", "corpus", "current.json"),
      runsDir: join(other, "runs"),
      resultsDir: join(other, "results"),
    });
  });
});

describe("refused is", () => {
  const advice =
    "is not a workspace: data/corpus/current.json is not there. " +
    "Name a folder that holds it, or leave it away inside one.";

  test("a --root that is no workspace, also inside one", () => {
    expect(refusal(() => rootOf(inner, plain))).toBe(`--root ${plain} ${advice}`);
    expect(refusal(() => rootOf(inner, "a"))).toBe(`--root a ${advice}`);
    expect(refusal(() => rootOf(inner, "none"))).toBe(`--root none ${advice}`);
    expect(refusal(() => rootOf(inner, "data/corpus/current.json"))).toMatch(/^--root data/);
    expect(refusal(() => rootOf(inner, "a\nb"))).toBe(`--root "a\\nb" ${advice}`);
  });

  test("a DECISION_BENCH_ROOT that is no workspace", () => {
    expect(refusal(() => rootOf(inner, undefined, { DECISION_BENCH_ROOT: "a" }))).toBe(
      `DECISION_BENCH_ROOT a ${advice}`,
    );
    // --root stands before it, so that it does not matter.
    expect(rootOf(inner, other, { DECISION_BENCH_ROOT: "a" })).toBe(other);
  });

  test("an empty --root", () => {
    expect(refusal(() => rootOf(inner, ""))).toBe("--root is empty: name a folder, or leave the option away");
  });
});

describe(".env", () => {
  let made = 0;
  /** The environment that a command sees in a workspace with this .env. */
  function envOf(dotenv: string | Buffer, env: Environment = {}): Environment {
    made += 1;
    const root = workspace(`env-${made}`);
    writeFileSync(join(root, ".env"), dotenv);
    return openWorkspace({ root, cwd: plain, env }).env;
  }

  test("is read, with quotes, comments, `export` and any line ends", () => {
    const text = "\ufeff# ours\r\nA=1\r\nexport B='two words' # note\nC=\"x\\ny\"\n\nD=\nE = spaced \n";
    expect(envOf(text)).toEqual({ A: "1", B: "two words", C: "x\ny", D: "", E: "spaced" });
    expect(envOf("")).toEqual({});
  });

  test("gives way to what is really set, also to what is set to nothing", () => {
    const env = envOf("A=file\nB=file\nC=file\n", { A: "set", B: "", C: undefined });
    expect(env).toEqual({ A: "set", B: "", C: "file" });
  });

  test("that is not there is none", () => {
    expect(openWorkspace({ root: other, cwd: plain, env: { A: "1", B: undefined } }).env).toEqual({ A: "1" });
  });

  test("is that of the workspace, not that of the current folder or of a folder above", () => {
    writeFileSync(join(deep, ".env"), "WHERE=current folder\n");
    writeFileSync(join(outer, ".env"), "WHERE=above\n");
    expect(openWorkspace({ cwd: deep, env: {} }).env).toEqual({});
  });

  test("does not choose the workspace", () => {
    const root = workspace("chooses");
    writeFileSync(join(root, ".env"), `DECISION_BENCH_ROOT=${other}\n`);
    expect(rootOf(root)).toBe(root);
  });

  test("leaves the process's own environment alone", () => {
    expect(envOf("BENCH_TEST_ONLY=1\n")).toHaveProperty("BENCH_TEST_ONLY", "1");
    expect(process.env.BENCH_TEST_ONLY).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(envOf("__proto__=x\nconstructor=y\n")).toHaveProperty("constructor", "y");
  });

  test("that is a folder or a named pipe is refused, not waited for", () => {
    const notFile = ".env in the workspace is not a file: write it anew with NAME=value lines, or remove it";
    const folder = workspace("env-folder");
    mkdirSync(join(folder, ".env"));
    expect(refusal(() => rootOf(folder))).toBe(notFile);
    const pipe = workspace("env-pipe");
    execFileSync("mkfifo", [join(pipe, ".env")]);
    expect(refusal(() => rootOf(pipe))).toBe(notFile);
  });

  test("that cannot be read is refused", () => {
    const loop = workspace("env-loop");
    symlinkSync(".env", join(loop, ".env"));
    expect(refusal(() => rootOf(loop))).toBe(
      ".env in the workspace cannot be read (ELOOP): make it readable, or remove it",
    );
  });

  test.skipIf(process.getuid?.() === 0)(
    "without permission is refused (skipped for root, who may read all)",
    () => {
      const root = workspace("env-denied");
      writeFileSync(join(root, ".env"), "A=1\n");
      chmodSync(join(root, ".env"), 0);
      expect(refusal(() => rootOf(root))).toBe(
        ".env in the workspace cannot be read (EACCES): make it readable, or remove it",
      );
    },
  );
});

test("the package knows its folder and its version", () => {
  expect(packageRoot).toBe(dirname(import.meta.dirname));
  expect(packageVersion()).toMatch(/^\d+\.\d+\.\d+/);
});

test("nothing is written into an installed package, but into a checkout and into any other folder", () => {
  const installed = join(home, "app", "node_modules", "decision-bench");
  expect(() => assertOwnWorkspace(installed, installed)).toThrow(/Name a folder with --root/);
  expect(() => assertOwnWorkspace(outer, installed)).not.toThrow();
  expect(() => assertOwnWorkspace(packageRoot)).not.toThrow();
});

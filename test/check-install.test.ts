// The check of what `npm ci` installs finds each thing that it is there for.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  auditProblems,
  type Lock,
  type LockedPackage,
  lockProblems,
  type Manifest,
  manifestProblems,
  scriptProblems,
} from "../scripts/check-install.ts";
import { packageRoot } from "../src/workspace.ts";

const read = (name: string): string => readFileSync(join(packageRoot, name), "utf8");
const lock = JSON.parse(read("package-lock.json")) as Lock;
const manifest = JSON.parse(read("package.json")) as Manifest;
const SHA512 = `sha512-${"a".repeat(86)}==`;
const SOUND: LockedPackage = { version: "1.2.3", integrity: SHA512 };

/** Our lock with another entry, or one changed. */
function lockWith(path: string, entry: LockedPackage): Lock {
  return { ...lock, packages: { ...lock.packages, [path]: entry } };
}

test("the lock and package.json of this project are sound", () => {
  expect(lockProblems(lock)).toEqual([]);
  expect(manifestProblems(manifest)).toEqual([]);
  expect(scriptProblems(lock, manifest)).toEqual([]);
  expect(Object.keys(lock.packages ?? {}).length).toBeGreaterThan(300);
});

describe("the lock", () => {
  test.each<[string, string, LockedPackage, string]>([
    ["a missing digest", "node_modules/a", { version: "1.2.3" }, "no SHA-512 digest"],
    [
      "a weak digest",
      "node_modules/a",
      { ...SOUND, integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" },
      "no SHA-512",
    ],
    ["a cut digest", "node_modules/a", { ...SOUND, integrity: SHA512.slice(0, -4) }, "no SHA-512 digest"],
    [
      "git",
      "node_modules/a/node_modules/b",
      { ...SOUND, resolved: "git+ssh://git@host/a.git#0123456" },
      "not from the registry",
    ],
    [
      "an address",
      "node_modules/a",
      { ...SOUND, resolved: "https://host.example/a.tgz" },
      "not from the registry",
    ],
    [
      "an archive on the disk",
      "node_modules/a",
      { ...SOUND, resolved: "file:../a.tgz" },
      "not from the registry",
    ],
    ["a link", "node_modules/a", { resolved: "../a", link: true }, "a folder of this disk"],
    ["a folder", "packages/a", { ...SOUND }, "a folder of this disk"],
    ["a range", "node_modules/a", { ...SOUND, version: "^1.2.3" }, "no exact version"],
    ["no version", "node_modules/a", { integrity: SHA512 }, "no exact version"],
  ])("refuses %s", (_, path, entry, problem) => {
    const found = lockProblems(lockWith(path, entry));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(path);
    expect(found[0]).toContain(problem);
  });

  test("refuses one that is empty or of another form", () => {
    expect(lockProblems({})).toEqual([
      "package-lock.json is not of version 3",
      "package-lock.json names no package",
    ]);
    expect(lockProblems(lockWith("node_modules/a", SOUND))).toEqual([]);
  });
});

test.each([
  "^1.2.3",
  "1.x",
  "latest",
  "*",
  "git+https://host.example/a.git",
  "file:../a",
  "npm:b@^1",
  "",
  ">=1.0.0",
])("package.json: %j is no exact version, whatever kind of dependency", (version) => {
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]) {
    expect(manifestProblems({ [kind]: { a: version } })).toEqual([
      `package.json: a is "${version}", not an exact version`,
    ]);
  }
  expect(manifestProblems({ overrides: { a: { b: version } } })).toEqual([
    `overrides of package.json: a: b is "${version}", not an exact version`,
  ]);
  expect(manifestProblems({ dependencies: { a: "1.5.6-r.1" } })).toEqual([]);
});

describe("install scripts", () => {
  const known = { esbuild: "why" };
  const off = { allowScripts: { esbuild: false } };
  const bring = (...paths: string[]): Lock => ({
    packages: Object.fromEntries(paths.map((path) => [path, { ...SOUND, hasInstallScript: true }])),
  });
  const esbuild = "node_modules/esbuild";

  test("known ones that are switched off pass, wherever they lie", () => {
    expect(scriptProblems(bring(esbuild, "node_modules/@a/b/node_modules/esbuild"), off, known)).toEqual([]);
  });

  test("a new one is named, with its scope, also under another name", () => {
    for (const path of ["node_modules/@new/one", "node_modules/@a/b/node_modules/@new/one"]) {
      expect(scriptProblems(bring(esbuild, path), off, known).join()).toContain(
        "@new/one brings an install script",
      );
    }
    const alias = { packages: { [esbuild]: { name: "@new/one", hasInstallScript: true } } };
    expect(scriptProblems(alias, off, known).join()).toContain("@new/one brings an install script");
  });

  test("one that is known and may run is named", () => {
    expect(scriptProblems(bring(esbuild), {}, known)).toEqual([
      "allowScripts of package.json does not switch esbuild off",
    ]);
    expect(scriptProblems(bring(esbuild), { allowScripts: { esbuild: true } }, known)).toEqual([
      "allowScripts of package.json lets esbuild run",
    ]);
    expect(
      scriptProblems(bring(esbuild), { allowScripts: { ...off.allowScripts, "other@1.2.3": true } }, known),
    ).toEqual(["allowScripts of package.json lets other@1.2.3 run"]);
  });

  test("what is not needed any more is named", () => {
    expect(scriptProblems(bring(), off, known)).toHaveLength(2);
  });

  test.each([".ci/run", ".github/workflows/pages.yml", "scripts/quickstart.mjs"])(
    "%s installs without them",
    (name) => {
      const installs = read(name).match(/npm ci\b.*|\["ci".*/g) ?? [];
      const all = installs.filter((line) => !line.includes("`"));
      expect(all.length).toBeGreaterThan(0);
      for (const line of all) expect(line).toContain("--ignore-scripts");
    },
  );
});

describe("npm audit", () => {
  const advisory = (severity: string, id = "GHSA-gv7w-rqvm-qjhr") => ({
    source: 1,
    name: "esbuild",
    title: "A title",
    url: `https://github.com/advisories/${id}`,
    severity,
    range: ">=0.17.0 <0.28.1",
  });
  const report = (...via: unknown[]): string =>
    JSON.stringify({
      auditReportVersion: 2,
      vulnerabilities: {
        esbuild: { name: "esbuild", severity: "high", via },
        framework: { name: "framework", severity: "high", via: ["esbuild"] },
      },
      metadata: {},
    });

  test.each(["high", "critical"])("a finding that is %s is told once, with what it is", (severity) => {
    expect(auditProblems(report(advisory(severity)), {})).toEqual([
      `esbuild >=0.17.0 <0.28.1: ${severity}: A title (GHSA-gv7w-rqvm-qjhr)`,
    ]);
  });

  test("lesser ones are not, nor one of which is written down why it cannot be reached, but its neighbour is", () => {
    expect(auditProblems(report(advisory("moderate"), advisory("low")), {})).toEqual([]);
    const written = { "GHSA-gv7w-rqvm-qjhr": "only Deno's module" };
    expect(auditProblems(report(advisory("high")), written)).toEqual([]);
    expect(
      auditProblems(report(advisory("high"), advisory("high", "GHSA-2222-3333-4444")), written),
    ).toHaveLength(1);
  });

  test("one without an address goes by its number", () => {
    const { url: _, ...bare } = advisory("high");
    expect(auditProblems(report(bare), {})?.[0]).toContain("(1)");
  });

  test("nothing found is nothing, and no report is no report", () => {
    expect(auditProblems('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual([]);
    for (const text of [
      "",
      "npm error",
      "null",
      "[]",
      '{"message":"405 Method Not Allowed","statusCode":405}',
      '{"vulnerabilities":null}',
    ]) {
      expect(auditProblems(text), text).toBeNull();
    }
  });
});

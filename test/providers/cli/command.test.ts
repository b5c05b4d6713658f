// What is said of a command before it is used.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Commands } from "../../../src/providers/cli/command.ts";
import { commandFolders, findCommand } from "../../../src/providers/cli/find-command.ts";
import { makeFakeCli } from "../../support/fake-cli.ts";

describe("on PATH", () => {
  test("the first file that can be run, by an absolute folder", () => {
    const first = makeFakeCli("claude", "");
    const second = makeFakeCli("claude", "");
    const bin = join(first.folder, "bin");
    const path = `relative:.::${first.folder}/none:${bin}:${second.path}`;
    expect(findCommand("claude", { PATH: path })).toBe(join(bin, "claude"));
    chmodSync(join(bin, "claude"), 0o644);
    expect(findCommand("claude", { PATH: path })).toBe(join(second.folder, "bin", "claude"));
    expect(findCommand("codex", { PATH: first.path })).toBe(null);
    expect(findCommand("claude", {})).toBe(null);
  });

  test("a folder of that name is none", () => {
    const fake = makeFakeCli("claude", "");
    mkdirSync(join(fake.folder, "codex"));
    expect(findCommand("codex", { PATH: fake.folder })).toBe(null);
  });
});

test("the folders of an install, but not those of every system", () => {
  const fake = makeFakeCli("claude", "");
  const real = join(fake.folder, "lib", "node_modules", "@anthropic-ai", "claude-code");
  mkdirSync(real, { recursive: true });
  writeFileSync(join(real, "cli.js"), "#!/bin/sh\n", { mode: 0o755 });
  const bin = join(fake.folder, "linked");
  mkdirSync(bin);
  symlinkSync(join(real, "cli.js"), join(bin, "claude"));
  expect(commandFolders({ PATH: bin })).toEqual([bin, join(fake.folder, "lib")]);
  expect(commandFolders({ PATH: "/usr/bin:/bin" })).toEqual([]);
});

describe("a version", () => {
  const versions = (name: "claude" | "codex", options: Parameters<typeof makeFakeCli>[2] = {}) =>
    new Commands({ PATH: makeFakeCli(name, "", options).path, HOME: "/nowhere" });

  test.each([
    ["claude", "2.1.332 (Claude Code)", "2.1.332"],
    ["claude", "3.0.0-beta.1", "3.0.0-beta.1"],
    ["codex", "codex-cli 0.171.0", "0.171.0"],
  ] as const)("%s says %s", async (name, version, expected) => {
    expect(await versions(name, { version }).report(name)).toEqual({
      command: name,
      found: true,
      version: expected,
      supported: true,
    });
  });

  test("that is none is refused, and what was said instead is not repeated", async () => {
    const commands = versions("claude", { version: "Segmentation fault" });
    await expect(commands.find("claude")).rejects.toThrow(
      /`claude --version` said something else instead of a version/,
    );
    expect(await commands.report("claude")).toMatchObject({ found: true, version: null, supported: false });
  });

  test("that is not there says what to install", async () => {
    const commands = new Commands({ PATH: "/nowhere" });
    await expect(commands.find("codex")).rejects.toThrow(
      "the command codex (Codex) is not on PATH: install it, for example with `npm install -g @openai/codex`",
    );
    expect(await commands.report("codex")).toEqual({
      command: "codex",
      found: false,
      version: null,
      supported: null,
    });
  });

  test.each(["", "goals  stable  true", "shell_tool  removed  true"])(
    "of codex whose shell tool cannot be switched off (%j) is refused",
    async (features) => {
      const commands = versions("codex", { features });
      await expect(commands.find("codex")).rejects.toThrow(/codex 0\.171\.0 has no feature shell_tool/);
      expect(await commands.report("codex")).toMatchObject({ version: "0.171.0", supported: false });
    },
  );

  test("of claude that cannot be kept to itself is refused", async () => {
    const commands = versions("claude", { help: "--print --bare --tools --json-schema --setting-sources" });
    await expect(commands.find("claude")).rejects.toThrow(
      /claude 2\.1\.332 does not know --safe-mode, --strict-mcp-config/,
    );
    expect(await commands.report("claude")).toMatchObject({ version: "2.1.332", supported: false });
  });

  test.each([
    [
      "--help",
      '--version) echo "2.1.332"',
      "`claude --help` gave no answer within 2 s: install Claude Code anew",
    ],
    ["--version", '--help) echo ""', "`claude --version` gave no answer within 2 s"],
  ])("of claude that hangs at %s is not waited for", async (_, answers, error) => {
    const fake = makeFakeCli("claude", "");
    const script = `#!/bin/sh\ncase "$1" in\n${answers}; exit;;\nesac\nsleep 600\n`;
    writeFileSync(join(fake.folder, "bin", "claude"), script);
    await expect(new Commands({ PATH: fake.path }, 2000).find("claude")).rejects.toThrow(error);
  });

  test.each([
    [
      "#!/nowhere/node",
      "claude could not be started (ENOENT): its file is there, but the interpreter that its first line names is not",
    ],
    [
      "#!/usr/bin/env no-such-node",
      "claude ended with exit code 127: its file is there, but a program that it needs",
    ],
  ])("of claude that begins with %j says that its interpreter is missing", async (line, error) => {
    const fake = makeFakeCli("claude", "");
    writeFileSync(join(fake.folder, "bin", "claude"), `${line}\n`);
    const commands = new Commands({ PATH: fake.path });
    await expect(commands.find("claude")).rejects.toThrow(error);
    await expect(commands.find("claude")).rejects.not.toThrow(fake.folder);
    expect(await commands.report("claude")).toMatchObject({ found: true, version: null, supported: false });
  });

  test("is asked for once", async () => {
    const commands = versions("claude");
    expect(commands.find("claude")).toBe(commands.find("claude"));
    await commands.find("claude");
  });
});

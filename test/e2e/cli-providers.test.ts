// The agent CLIs through the built binary: what is refused before a run, what is recorded, what never is, and what is
// left when `bench` itself is ended.
import { type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isAlive } from "../../src/processes.ts";
import { allFiles, bench, cleanEnv, cli, startBench, until } from "../support/bench.ts";
import { claudeResult, GOOD, makeFakeCli } from "../support/fake-cli.ts";
import { processesThatMention } from "../support/processes.ts";
import { makeScratch, type Scratch } from "../support/scratch.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = makeWorkspace();
});
afterEach(() => scratch.remove());

function makeWorkspace(rows = 4, weight = 8, options?: readonly string[]): Scratch {
  const made = makeScratch(rows, weight, options);
  const models = [
    { id: "c", label: "C", provider: "claude-cli", model: "claude-asked" },
    { id: "c2", label: "C2", provider: "claude-cli", model: "claude-other" },
    { id: "x", label: "X", provider: "codex-cli", model: "gpt-asked" },
  ];
  made.models(models);
  return made;
}

const KEYS = { ANTHROPIC_API_KEY: "anthropic-key-0001", OPENAI_API_KEY: "openai-key-0002" };

it("is refused without the command, before there is a run", async () => {
  for (const [model, command] of [
    ["c", "claude"],
    ["x", "codex"],
  ] as const) {
    const run = await bench(scratch.root, ["run", "--model", model], { ...KEYS, PATH: "/nowhere" });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`the command ${command} `);
    expect(run.stderr).toMatch(/is not on PATH: install it, for example with `npm install -g @/);
    expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  }
});

it.each([
  ["relative", "temp", "is a relative path"],
  ["missing", "/nowhere/marked", "does not exist"],
  ["no folder", "/dev/null", "cannot be written (ENOTDIR)"],
])("refuses a folder for temporary files that is %s, before there is a run", async (_, folder, why) => {
  mkdirSync(join(scratch.root, "temp"));
  for (const [name, model] of [
    ["claude", "c"],
    ["codex", "x"],
  ] as const) {
    const env = { ...KEYS, PATH: makeFakeCli(name, GOOD[name]).path, TMPDIR: folder };
    const run = await bench(scratch.root, ["run", "--model", model], env);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    expect(run.stderr).toContain(`the folder for temporary files (TMPDIR) ${why}`);
    expect(run.stderr).toContain("set TMPDIR to the absolute path of a folder that can be written");
    expect(run.stderr).not.toContain("marked");
    expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  }
  const env = { ...KEYS, PATH: "/nowhere", TMPDIR: folder };
  expect((await bench(scratch.root, ["models"], env)).code).toBe(0);
});

it("refuses rows whose schema is too long for an argument, before there is a run, and codex asks them", async () => {
  scratch.remove();
  scratch = makeWorkspace(
    4,
    8,
    Array.from({ length: 300 }, (_, index) => `option ${index} ${"é".repeat(100)}`),
  );
  const claude = makeFakeCli("claude", GOOD.claude);
  const codex = makeFakeCli("codex", GOOD.codex);
  const env = { ...KEYS, PATH: `${join(claude.folder, "bin")}:${codex.path}` };
  for (const more of [[], ["--dry-run"]]) {
    const run = await bench(scratch.root, ["run", "--model", "c", ...more], env);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(
      /row row-0000000 \(and 3 more\) cannot be asked through claude: its argument --json-schema has \d{6} bytes, and 131071 is the most/,
    );
  }
  expect(existsSync(join(scratch.root, "runs"))).toBe(false);
  expect(await bench(scratch.root, ["run", "--model", "x"], env)).toMatchObject({ code: 0 });
});

it("runs, records the version and the bare result, and is published", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const env = { ...KEYS, PATH: fake.path };
  const run = await bench(scratch.root, ["run", "--model", "c", "--run-id", "r"], env);
  expect(run).toMatchObject({ code: 0 });
  const record = JSON.parse(readFileSync(join(scratch.root, "runs", "r", "run.json"), "utf8"));
  expect(record.config).toMatchObject({ provider: "claude-cli", endpoint_id: null });
  expect(record.executions).toMatchObject([{ cli_version: "2.1.332" }]);
  expect((await bench(scratch.root, ["publish", "r"], env)).code).toBe(0);
  const published = [...allFiles(join(scratch.root, "results"))];
  const metadata = published.find(([file]) => file.endsWith("metadata.json"))?.[1] ?? "";
  expect(JSON.parse(metadata).run.cli_versions).toEqual(["2.1.332"]);
  expect(JSON.parse(metadata)).not.toHaveProperty("published_with_warnings");
  const readme = published.find(([file]) => file.endsWith("README.md"))?.[1];
  expect(readme).toContain("| Version of the command | 2.1.332 |");
  for (const [file, text] of allFiles(join(scratch.root, "runs")))
    expect(text, file).not.toContain(fake.folder);
});

it("a run that was resumed with another version is published with both, and with a warning", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const env = { ...KEYS, PATH: fake.path };
  const run = ["run", "--model", "c", "--run-id", "r"];
  fake.does("process.exitCode = 1;");
  expect((await bench(scratch.root, run, env)).code).toBe(0);
  const newer = makeFakeCli("claude", GOOD.claude, { version: "2.1.400 (Claude Code)" });
  const resumed = await bench(scratch.root, [...run, "--retry-errors"], { ...env, PATH: newer.path });
  expect(resumed.stderr).toContain("the command is version 2.1.400 now; this run was begun with 2.1.332");
  const warning = "its command changed its version while the run was resumed: 2.1.332, 2.1.400";
  const published = await bench(scratch.root, ["publish", "r"], env);
  expect(published).toMatchObject({ code: 0 });
  expect(published.stdout + published.stderr).toContain(`warning: ${warning}`);
  const folder = join(scratch.root, "results");
  const metadata = [...allFiles(folder)].find(([file]) => file.endsWith("metadata.json"))?.[1] ?? "";
  expect(JSON.parse(metadata)).toMatchObject({
    run: { cli_versions: ["2.1.332", "2.1.400"] },
    published_with_warnings: [warning],
  });
  expect((await bench(scratch.root, ["validate"], env)).code).toBe(0);
  const [result] = readdirSync(folder).flatMap((suite) => [join(folder, suite, "c")]);
  const imported = await bench(scratch.root, ["import", "--replace", result ?? ""], env);
  expect(imported.code, imported.stderr).toBe(0);
});

it("gives a command no file that was open when bench was started", async () => {
  const fake = makeFakeCli("claude", "");
  const file = join(scratch.root, "answers.txt");
  writeFileSync(file, "marked-answers");
  fake.does(`
    const read = (descriptor) => { try { return fs.readFileSync(descriptor, "utf8"); } catch (error) { return error.code; } };
    fs.writeFileSync(${JSON.stringify(join(fake.folder, "read"))}, [30, 55].map(read).join());
    ${GOOD.claude}`);
  const opened = openSync(file, "r");
  const files = Array.from({ length: 56 }, (_, at) => (at === 30 || at === 55 ? opened : "ignore"));
  const ended = spawnSync(process.execPath, [cli, "run", "--model", "c", "--limit", "1"], {
    cwd: scratch.root,
    env: cleanEnv({ ...KEYS, PATH: fake.path }),
    stdio: files as StdioOptions,
  });
  closeSync(opened);
  expect(ended.status).toBe(0);
  expect(readFileSync(join(fake.folder, "read"), "utf8")).toBe(",");
});

it("--dry-run shows no URL, whether it is configured or the usual one", async () => {
  const env = { ...KEYS, PATH: makeFakeCli("codex", GOOD.codex).path };
  for (const [more, host] of [
    [{ OPENAI_BASE_URL: "https://gateway.marked-host.example/v1" }, "marked-host"],
    [{}, "api.openai.com"],
  ] as const) {
    for (const json of [[], ["--json"]]) {
      const run = await bench(scratch.root, ["run", "--model", "x", "--dry-run", ...json], {
        ...env,
        ...more,
      });
      expect(run.code).toBe(0);
      expect(run.stdout).toContain("model_providers.bench.base_url=");
      expect(run.stdout).not.toContain(host);
      expect(run.stdout).not.toContain("https://");
    }
  }
});

it("with the person's own home calls go one at a time, whatever --jobs says, and that is told", async () => {
  const fake = makeFakeCli("claude", "");
  const lock = JSON.stringify(join(fake.folder, "lock"));
  fake.does(`fs.mkdirSync(${lock}); setTimeout(() => { fs.rmdirSync(${lock}); ${GOOD.claude} }, 100);`);
  const env = { PATH: fake.path, HOME: scratch.root };
  const run = await bench(scratch.root, ["run", "--model", "c", "--jobs", "4", "--json"], env);
  expect(JSON.parse(run.stdout)).toMatchObject({ runs: [{ rows_completed: 4, errors: 0 }] });
  expect(run.stderr).toContain("c: one call at a time, since the sign-in is looked up in your own home");
  const single = await bench(scratch.root, ["run", "--model", "c2", "--jobs", "1"], env);
  expect(single.stderr).not.toContain("one call at a time");
});

it("bench models says of each command whether it is there, which it is and whether it will do", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const env = { ...KEYS, PATH: fake.path };
  const { models } = JSON.parse((await bench(scratch.root, ["models", "--json"], env)).stdout);
  const claude = { command: "claude", found: true, version: "2.1.332", supported: true };
  expect(models).toMatchObject([
    { id: "c", ready: true, cli: claude },
    { id: "c2", ready: true, cli: claude },
    { id: "x", ready: false, cli: { command: "codex", found: false, version: null, supported: null } },
  ]);
  const table = (await bench(scratch.root, ["models"], env)).stdout;
  expect(table).toContain("command claude: version 2.1.332, supported\n");
  expect(table).toContain("command codex: not on PATH\n");
  expect(table).not.toContain(fake.folder);
});

it("writes no key, host, home, install path or request id, wherever and however it is echoed", async () => {
  const home = join(scratch.root, "home-of-marked-person");
  mkdirSync(home);
  const keys = {
    ANTHROPIC_API_KEY: "marked-anthropic-key/0+1",
    OPENAI_API_KEY: "marked-openai-key/0+2",
    DECISION_BENCH_API_KEY: "marked-bench-key/0+3",
    TYPESAFE_API_KEY: "marked-typesafe-key/0+4",
    LAYA_API_KEY: "marked-laya-key/0+5",
  };
  const urls = {
    ANTHROPIC_BASE_URL: "https://gateway.marked-host-one.example/v1",
    OPENAI_BASE_URL: "https://gateway.marked-host-two.example/v1",
  };
  const id = "req_marked-0123456789";
  const refresh = "marked-refresh-token-0123456789";
  // Tokens that only a call gets: Codex renews what it was given, Claude Code reads its own.
  const renewed = "Marked-Renewed/token+0123456789";
  const claudeTokens = ["Marked-oat01-Access_token-98765", "Marked-ort01-Refresh/token+98765"];
  const claudeRenewed = "Marked-oat02-Access_token-45678";
  const account = "marked-person@somewhere.example";
  mkdirSync(join(home, ".claude"));
  const credentials = (tokens: readonly string[]): string =>
    JSON.stringify({
      claudeAiOauth: { accessToken: tokens[0], refreshToken: tokens[1], expiresAt: 4_000_000_000_000 },
    });
  writeFileSync(join(home, ".claude", ".credentials.json"), credentials(claudeTokens));
  writeFileSync(
    join(home, ".claude.json"),
    JSON.stringify({ oauthAccount: { emailAddress: account }, tips: 7 }),
  );
  const secrets = [
    ...Object.values(keys),
    ...Object.values(urls).flatMap((url) => [url, new URL(url).host]),
    home,
    id,
  ];
  const codexHome = join(scratch.root, "marked-codex-home");
  mkdirSync(codexHome);
  writeFileSync(join(codexHome, "auth.json"), JSON.stringify({ tokens: { refresh_token: refresh } }));

  const echo = (folder: string): string => `
    let secrets = ${JSON.stringify([...secrets, folder])};
    // Where people are signed in there are no such keys, and no address that needs one.
    if (!process.env.ANTHROPIC_API_KEY && !process.env.OPENAI_API_KEY) secrets = secrets.filter((text) => !/anthropic-key|openai-key|host-two/.test(text));
    // What it was given, it can echo.
    const signIn = (process.env.CODEX_HOME ?? "/nowhere") + "/auth.json";
    if (fs.existsSync(signIn)) secrets.push(JSON.parse(fs.readFileSync(signIn, "utf8")).tokens.refresh_token);
    if (fs.existsSync(signIn)) {
      fs.writeFileSync(signIn, JSON.stringify({ tokens: { refresh_token: ${JSON.stringify(renewed)} } }));
      secrets.push(${JSON.stringify(renewed)});
    }
    const own = process.env.HOME + "/.claude/.credentials.json";
    if (fs.existsSync(own)) {
      secrets.push(...Object.values(JSON.parse(fs.readFileSync(own, "utf8")).claudeAiOauth).map(String), ...${JSON.stringify([...claudeTokens, account])});
      // Whole or not at all: other calls read it at the same time.
      fs.writeFileSync(own + process.pid, ${JSON.stringify(credentials([claudeRenewed, claudeTokens[1] ?? ""]))});
      fs.renameSync(own + process.pid, own);
      secrets.push(${JSON.stringify(claudeRenewed)});
    }
    secrets = secrets.filter((text) => text.length > 1);
    const hex = (text) => Buffer.from(text).toString("hex");
    const spelled = (text) => /oat0|ort0|enewed/.test(text) ? [text.toLowerCase(), text.toUpperCase(), hex(text), hex(text).toUpperCase()] : [];
    const forms = (text) => [...spelled(text), text, Buffer.from(text).toString("base64"), Buffer.from("x" + text).toString("base64url"),
      encodeURIComponent(text), [...Buffer.from(text)].map((byte) => "%" + byte.toString(16)).join(""),
      JSON.stringify(JSON.stringify(text)), text.replaceAll("/", "\\\\/")];
    const all = secrets.flatMap(forms);
    const mess = { request_id: ${JSON.stringify(id)}, text: all.join(" "), list: all,
      keys: Object.fromEntries(all.map((text) => [text, 1])), cwd: process.cwd(), home: process.env.HOME, env: process.env };
    fs.writeSync(2, all.join("\\n") + "\\n" + JSON.stringify(mess) + "\\n");
    fs.writeSync(1, all.join("\\n") + "\\n");
    say({ type: "system", ...mess });`;
  const claude = makeFakeCli("claude", "");
  const codex = makeFakeCli("codex", "");
  const row = "const row = JSON.parse(input.split('\\n')[0]).state.record;";
  const result = JSON.stringify(claudeResult());
  claude.does(`${echo(claude.folder)} ${row}
    if (row % 4 === 0) say({ ...${result}, result: answer, ...mess, modelUsage: { ["claude " + all[0] + " " + secrets.at(-1)]: { outputTokens: 1 } } });
    if (row % 4 === 1) say({ ...${result}, result: mess.text, ...mess });
    if (row % 4 === 2) { say({ ...${result}, is_error: true, api_error_status: 401, result: mess.text, ...mess }); process.exitCode = 1; }
    if (row % 4 === 3) { process.exitCode = 7; }`);
  codex.does(`${echo(codex.folder)} ${row}
    const done = { type: "turn.completed", usage: { input_tokens: 1, output_tokens: 1 } };
    const message = (text) => ({ type: "item.completed", item: { id: "i", type: "agent_message", text, ...mess, type: "agent_message" } });
    if (row % 4 === 0) say(message(answer), done);
    if (row % 4 === 1) say({ ...message("x"), item: { type: "agent_message", text: mess.text } }, done);
    if (row % 4 === 2) { say({ type: "turn.failed", error: { message: "unexpected status 401 Unauthorized: " + mess.text + ", request id: ${id}" } }); process.exitCode = 1; }
    if (row % 4 === 3) { process.exitCode = 7; }`);
  const env = {
    ...keys,
    ...urls,
    HOME: home,
    CODEX_HOME: codexHome,
    PATH: `${join(claude.folder, "bin")}:${codex.path}`,
  };
  const screens = [];
  screens.push(await bench(scratch.root, ["run", "--model", "c,x", "--max-attempts", "1"], env));
  // With the person's own sign-ins.
  const signedIn = { ...env, ANTHROPIC_API_KEY: "", OPENAI_API_KEY: "", OPENAI_BASE_URL: "" };
  for (const model of ["c", "x"]) {
    screens.push(await bench(scratch.root, ["run", "--model", model, "--run-id", `s-${model}`], signedIn));
  }
  for (const { code, stderr } of screens) expect(code, stderr).toBe(0);
  expect((await bench(scratch.root, ["publish", "s-c", "--force"], env)).code).toBe(0);
  expect((await bench(scratch.root, ["publish", "s-x", "--force"], env)).code).toBe(0);

  const files = [...allFiles(join(scratch.root, "runs")), ...allFiles(join(scratch.root, "results"))];
  expect(files.length).toBeGreaterThan(20);
  const raws = files.filter(([file]) => file.includes("/raw/"));
  expect(raws.map(([, text]) => text).join("").length).toBeGreaterThan(10_000);
  const tokens = [...claudeTokens, claudeRenewed, renewed];
  const markers = [...secrets, refresh, ...tokens, account, claude.folder, codex.folder];
  const base64 = (text: string, before: string): string =>
    Buffer.from(before + text)
      .toString("base64")
      .slice(before === "" ? 0 : 4, -6);
  const percent = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");
  for (const [file, text] of files) {
    for (const marker of markers) {
      const shapes = [
        marker,
        encodeURIComponent(marker),
        percent(marker),
        base64(marker, ""),
        base64(marker, "x"),
      ];
      for (const shape of shapes) expect(text.includes(shape), `${file}: ${shape}`).toBe(false);
    }
    for (const token of tokens) {
      const hex = Buffer.from(token).toString("hex");
      for (const shape of [token.toLowerCase(), token.toUpperCase(), hex, hex.toUpperCase()]) {
        expect(text.includes(shape), `${file}: ${shape}`).toBe(false);
      }
    }
    expect(/.{80}marked-person.{20}/.exec(text)?.[0], file).toBe(undefined);
  }
});

it.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const)(
  "a second %s ends the commands and removes their folders",
  async (signal) => {
    const fake = makeFakeCli("claude", "");
    fake.does(
      `process.on("SIGTERM", () => {}); fs.writeFileSync(${JSON.stringify(join(fake.folder, "pid"))}, String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const env = { ...KEYS, PATH: fake.path };
    const running = startBench(scratch.root, ["run", "--model", "c", "--jobs", "1"], env);
    const pid = join(fake.folder, "pid");
    await until(() => existsSync(pid) && readFileSync(pid, "utf8") !== "", "the command");
    running.child.kill(signal);
    await until(() => running.stderr().includes("stopping"), "the first answer");
    running.child.kill(signal);
    expect(await running.ended).toMatchObject({ code: 130 });
    await until(() => !isAlive(Number(readFileSync(pid, "utf8"))), "the end of the command", 2000);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`dbcall-${running.child.pid}-`))).toEqual(
      [],
    );
  },
);

it.each([
  ["under nohup", { _: "/usr/bin/nohup" }, false],
  ["below a process that ignores it", {}, true],
])("%s SIGHUP does not end a run", async (_, variables, isIgnored) => {
  if (isIgnored && process.platform !== "linux") return;
  const fake = makeFakeCli("claude", "");
  const [begun, goOn] = [join(fake.folder, "begun"), join(fake.folder, "go-on")];
  fake.does(
    `fs.writeFileSync(${JSON.stringify(begun)}, String(process.ppid)); while (!fs.existsSync(${JSON.stringify(goOn)}));
    ${GOOD.claude}`,
  );
  const words = [process.execPath, cli, "run", "--model", "c", "--limit", "1"];
  // What stands behind the shell's command keeps the shell as the parent.
  const [file = "", ...args] = isIgnored
    ? ["/bin/sh", "-c", `trap '' HUP; "$@"; exit $?`, "sh", ...words]
    : words;
  const started = spawn(file, args, {
    cwd: scratch.root,
    env: cleanEnv({ ...KEYS, PATH: fake.path, ...variables }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  started.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = once(started, "exit");
  try {
    await until(() => existsSync(begun) && readFileSync(begun, "utf8") !== "", "the command");
    const pid = Number(readFileSync(begun, "utf8"));
    // Twice: the second one would end it at once.
    for (let signals = 0; signals < 2; signals += 1) {
      process.kill(pid, "SIGHUP");
      await sleep(50);
    }
  } finally {
    writeFileSync(goOn, "");
  }
  expect(await ended, stderr).toEqual([0, null]);
  expect(stderr).not.toContain("stopping");
});

it("ends 500 stalled calls at their time limit, and nothing of them is left", async () => {
  scratch.remove();
  scratch = makeWorkspace(500, 2);
  const fake = makeFakeCli("claude", "");
  // A shell, since 500 of Node would be about the machine.
  const script = `#!/bin/sh
case "$1" in
  --version) echo 2.1.332; exit ;;
  --help) echo "--bare --safe-mode --tools --json-schema --strict-mcp-config --setting-sources"; exit ;;
esac
trap "" TERM
sleep 600 &
wait
`;
  writeFileSync(join(fake.folder, "bin", "claude"), script);
  const words = ["--jobs", "500", "--timeout", "2", "--max-attempts", "1", "--keep-going", "--json"];
  const running = startBench(scratch.root, ["run", "--model", "c", ...words], { ...KEYS, PATH: fake.path });
  const ended = await running.ended;
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ runs: [{ rows_completed: 500, errors: 500 }] });
  const mark = `dbcall-${running.child.pid}-`;
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(mark))).toEqual([]);
  expect(processesThatMention(mark)).toEqual([]);
});

it("what a killed bench left behind ends with the next one", async () => {
  const fake = makeFakeCli("claude", "");
  fake.does(
    `fs.writeFileSync(${JSON.stringify(join(fake.folder, "pid"))}, String(process.pid)); setInterval(() => {}, 1000);`,
  );
  const env = { ...KEYS, PATH: fake.path };
  const running = startBench(scratch.root, ["run", "--model", "c", "--jobs", "1"], env);
  const pid = join(fake.folder, "pid");
  await until(() => existsSync(pid) && readFileSync(pid, "utf8") !== "", "the command");
  running.child.kill("SIGKILL");
  await running.ended;
  expect(isAlive(Number(readFileSync(pid, "utf8")))).toBe(true);
  expect((await bench(scratch.root, ["models"], env)).code).toBe(0);
  await until(() => !isAlive(Number(readFileSync(pid, "utf8"))), "the end of the command", 2000);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`dbcall-${running.child.pid}-`))).toEqual([]);
});

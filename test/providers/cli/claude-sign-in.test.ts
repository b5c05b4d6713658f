// Signed in to Claude Code: calls side by side share no home, and the person's sign-in is not used up.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Provider } from "../../../src/providers/provider.ts";
import { createProvider } from "../../../src/providers/registry.ts";
import { type FakeCli, GOOD, makeFakeCli } from "../../support/fake-cli.ts";
import { makeRow } from "../../support/rows.ts";

const TOKEN = "sk-ant-oat01-marked-0123456789";
const LIMITS = { timeoutMs: 20_000, signal: new AbortController().signal };
const NOW = Date.UTC(2026, 11, 2);

function homeWith(signIn: unknown): string {
  const home = mkdtempSync(join(tmpdir(), "bench-home-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, ".claude"));
  const text = typeof signIn === "string" ? signIn : JSON.stringify(signIn);
  writeFileSync(join(home, ".claude", ".credentials.json"), text);
  return home;
}

const signInOf = (home: string): string => readFileSync(join(home, ".claude", ".credentials.json"), "utf8");

const oauth = (changes: object = {}): object => ({
  claudeAiOauth: {
    accessToken: TOKEN,
    refreshToken: "sk-ant-ort01-marked-0123456789",
    expiresAt: NOW + 1,
    scopes: ["user:inference"],
    ...changes,
  },
  mcpOAuth: { server: { accessToken: "of-somebody-else" } },
});

function open(fake: FakeCli, home: string, now = () => NOW): Promise<Provider> {
  const model = { id: "m", label: "M", provider: "claude-cli", model: "x" } as const;
  const env = { PATH: fake.path, HOME: home, USER: "somebody" };
  return createProvider(model, { env, corpusDir: "/nowhere", jobs: 2, now });
}

test("each call has a home with a copy of the sign-in, which cannot renew itself", async () => {
  const home = homeWith(oauth());
  const before = signInOf(home);
  const fake = makeFakeCli("claude", "");
  fake.does(`
    const file = process.env.HOME + "/.claude/.credentials.json";
    fs.appendFileSync(${JSON.stringify(join(fake.folder, "seen"))}, fs.readFileSync(file, "utf8") + "\\n");
    fs.writeFileSync(file, "changed");
    say({ type: "system", echo: ${JSON.stringify(TOKEN)} });
    ${GOOD.claude}`);
  const provider = await open(fake, home);
  expect(provider.isOneAtATime).toBe(false);
  const [outcome] = await Promise.all([provider.call(makeRow(), LIMITS), provider.call(makeRow(), LIMITS)]);
  await provider.close();
  expect(outcome.status).toBe("ok");
  expect(outcome.secrets).toContain(TOKEN);
  const calls = fake.calls();
  expect(new Set(calls.map(({ env }) => env.HOME)).size).toBe(2);
  for (const call of calls) {
    expect(call.args[0]).toBe("--safe-mode");
    expect(call.home).toEqual([".claude"]);
    expect(call.env).not.toHaveProperty("USER");
    expect(JSON.stringify(call)).not.toContain(home);
  }
  const given = { accessToken: TOKEN, expiresAt: NOW + 1, scopes: ["user:inference"] };
  const seen = readFileSync(join(fake.folder, "seen"), "utf8").trim().split("\n");
  expect(seen.map((line) => JSON.parse(line))).toEqual(Array(2).fill({ claudeAiOauth: given }));
  expect(signInOf(home)).toBe(before);
});

test("a renewed sign-in counts from the next call on", async () => {
  const home = homeWith(oauth());
  const fake = makeFakeCli("claude", "");
  fake.does(`say({ type: "system", echo: fs.readFileSync(process.env.HOME + "/.claude/.credentials.json", "utf8") });
    ${GOOD.claude}`);
  const provider = await open(fake, home);
  writeFileSync(
    join(home, ".claude", ".credentials.json"),
    JSON.stringify(oauth({ accessToken: "renewed" })),
  );
  expect(JSON.stringify((await provider.call(makeRow(), LIMITS)).raw)).toContain("renewed");
  await provider.close();
});

test("one that has expired is refused before the run", async () => {
  const fake = makeFakeCli("claude", GOOD.claude);
  const home = homeWith(oauth({ expiresAt: NOW }));
  await expect(open(fake, home)).rejects.toThrow(/the sign-in of claude has expired: ask `claude` anything/);
});

test("one that expires during the run is told as missing, as it is when the command says so, and nothing is asked", async () => {
  let time = NOW;
  const home = homeWith(oauth());
  const fake = makeFakeCli("claude", GOOD.claude);
  const provider = await open(fake, home, () => time);
  expect((await provider.call(makeRow(), LIMITS)).status).toBe("ok");
  time += 1;
  expect(await provider.call(makeRow(), LIMITS)).toMatchObject({
    status: "auth_missing",
    error: expect.stringMatching(/^the sign-in of claude has expired: /),
    retryable: false,
  });
  await provider.close();
  expect(fake.calls()).toHaveLength(1);
});

test.each([["not JSON"], [{}], [{ claudeAiOauth: { accessToken: 1 } }]])(
  "%j is no sign-in that can be copied: the home is the person's, and calls do not overlap",
  async (signIn) => {
    const home = homeWith(signIn);
    const fake = makeFakeCli("claude", GOOD.claude);
    const provider = await open(fake, home);
    expect(provider.isOneAtATime).toBe(true);
    expect((await provider.call(makeRow(), LIMITS)).status).toBe("ok");
    await provider.close();
    expect(fake.calls()[0]?.env).toMatchObject({ HOME: home, USER: "somebody" });
  },
);

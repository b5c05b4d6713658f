// A proxy between a provider and its server, the same for all that speak HTTP: who goes through it, with which credentials,
// and that none of them is told.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { CallOutcome, Provider } from "../../src/providers/provider.ts";
import { createRedactor } from "../../src/providers/redact.ts";
import { createProvider } from "../../src/providers/registry.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";
import { type ScriptedProxy, startProxy } from "../support/proxy.ts";
import { makeRow } from "../support/rows.ts";

const REFUSES = "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n";
const CONNECTS = "HTTP/1.1 200 Connection established\r\n\r\n";
const REMOTE = "https://models.example.invalid/v1";

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

describe.each(HTTP_TABLE)("%s", (_name, one) => {
  async function open(baseUrl: string, env: Record<string, string>): Promise<Provider> {
    const all = { [one.url]: baseUrl, [one.key]: "key-1234", ...env };
    const provider = await createProvider(one.model, { env: all, corpusDir: "/nowhere", jobs: 3 });
    closers.push(() => provider.close());
    return provider;
  }

  function call(provider: Provider, timeoutMs: number): Promise<CallOutcome> {
    return provider.call(makeRow(), { timeoutMs, signal: new AbortController().signal });
  }

  async function proxyThat(says: string): Promise<ScriptedProxy> {
    const proxy = await startProxy(says);
    closers.push(() => proxy.close());
    return proxy;
  }

  test("a proxy gets its own credentials, and never the key", async () => {
    const proxy = await proxyThat(REFUSES);
    const outcome = await call(await open(REMOTE, { HTTPS_PROXY: proxy.url }), 5000);
    expect(proxy.asked).toEqual(["CONNECT models.example.invalid:443"]);
    expect(proxy.credentials).toEqual([
      `Basic ${Buffer.from("some-user:proxy-secret-01").toString("base64")}`,
    ]);
    expect(outcome).toMatchObject({
      status: "transport_error",
      error: "the proxy refused the connection (HTTP 407)",
      retryable: true,
    });
  });

  test("what a proxy was told is masked wherever it is echoed", () => {
    const url = "http://some-user:proxy-secret-01@10.1.2.3:3128";
    const redactor = createRedactor({ [one.url]: REMOTE, [one.key]: "key-1234", HTTPS_PROXY: url });
    const sent = Buffer.from("some-user:proxy-secret-01").toString("base64");
    const masked = redactor.text(
      `${url} said: Proxy-Authorization: Basic ${sent}; ${sent}; proxy-secret-01; 10.1.2.3`,
    );
    expect(masked).not.toMatch(/proxy-secret|some-user|10\.1\.2\.3/);
    expect(masked).not.toContain(sent.slice(0, 12));
  });

  test("calls that stall behind a proxy end at their limit, one tunnel each, and leave none", async () => {
    const proxy = await proxyThat(CONNECTS);
    const provider = await open(REMOTE, { HTTPS_PROXY: proxy.url });
    const outcomes = await Promise.all([1, 2, 3].map(() => call(provider, 400)));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "transport_error",
        error: "no complete answer within 0.4 s",
        httpStatus: null,
      });
    }
    await expect.poll(() => proxy.connections).toBe(0);
    await sleep(50);
    expect(proxy.asked).toHaveLength(3);
  });

  test("neither NO_PROXY nor loopback goes through it", async () => {
    const proxy = await proxyThat(REFUSES);
    const env = { HTTPS_PROXY: proxy.url, HTTP_PROXY: proxy.url };
    const remote = await open(REMOTE, { ...env, NO_PROXY: ".example.invalid" });
    const outcome = await call(remote, 500);
    expect(outcome).toMatchObject({ status: "transport_error", retryable: true });
    expect(outcome.error).not.toContain("example");
    const endpoint = await startEndpoint();
    closers.push(() => endpoint.close());
    expect((await call(await open(endpoint.baseUrl, env), 5000)).status).toBe("ok");
    expect(proxy.asked).toEqual([]);
  });
});

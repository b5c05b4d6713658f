// The parts of the HTTP layer that need another peer than the scripted endpoint: proxies and connections that hang.
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import { openaiVariables, readEndpoint } from "../../src/providers/endpoints.ts";
import { HttpClient, type HttpExchange } from "../../src/providers/http.ts";
import { startProxy } from "../support/proxy.ts";

const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function client(baseUrl: string, env: Record<string, string> = {}): HttpClient {
  const all = { DECISION_BENCH_BASE_URL: baseUrl, DECISION_BENCH_API_KEY: "key-1234", ...env };
  const opened = new HttpClient(readEndpoint(all, openaiVariables(null)), { jobs: 2, env: all });
  closers.push(() => opened.close());
  return opened;
}

function post(opened: HttpClient, timeoutMs = 3000): Promise<HttpExchange> {
  return opened.exchange(
    { method: "POST", path: "/x", headers: {}, body: "{}" },
    { timeoutMs, signal: new AbortController().signal },
  );
}

test("variables of the process that the workspace does not name are not read", async () => {
  const proxy = await startProxy("HTTP/1.1 407 X\r\n\r\n");
  closers.push(() => proxy.close());
  process.env.HTTPS_PROXY = proxy.url;
  try {
    await post(client("https://api.example.invalid/v1"), 300);
  } finally {
    delete process.env.HTTPS_PROXY;
  }
  expect(proxy.asked).toEqual([]);
});

test("a proxy that is no URL is refused, not quoted", () => {
  for (const proxy of ["marker", "ftp://marker"]) {
    expect(() => client("https://api.example.invalid/v1", { HTTPS_PROXY: proxy })).toThrow(UserError);
    expect(() => client("https://api.example.invalid/v1", { HTTPS_PROXY: proxy })).not.toThrow(/marker/);
  }
});

test("a connection that is never made ends at the limit and leaves no socket", async () => {
  const sockets = new Set<Socket>();
  // Takes the connection and never speaks TLS.
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.resume();
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const opened = client(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
  const start = performance.now();
  const exchanges = await Promise.all([post(opened, 300), post(opened, 300), post(opened, 300)]);
  expect(performance.now() - start).toBeLessThan(1500);
  for (const { failure, httpStatus } of exchanges) {
    expect(failure?.error).toBe("no complete answer within 0.3 s");
    expect(httpStatus).toBeNull();
  }
  await opened.close();
  await expect.poll(() => sockets.size).toBe(0);
});

test("a certificate that is not trusted is said without the host", async () => {
  const server = createTcpServer((socket) => {
    socket.resume();
    socket.on("error", () => {});
    socket.end("not TLS at all\r\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => new Promise((resolve) => server.close(resolve)));
  const { port } = server.address() as AddressInfo;
  const { failure } = await post(client(`https://127.0.0.1:${port}/v1`));
  expect(failure).toMatchObject({ status: "transport_error", retryable: true });
  expect(failure?.error).not.toMatch(/127|\d{4}/);
});

// An answer that comes through a proxy's tunnel from an https server, as behind a company's firewall.
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { allFiles, bench } from "../support/bench.ts";
import { type ScriptedEndpoint, startEndpoint } from "../support/endpoint.ts";
import { HTTP_TABLE } from "../support/http-providers.ts";
import { type ScriptedProxy, startProxy, startTls, TLS_CERTIFICATE, TLS_HOST } from "../support/proxy.ts";
import { makeScratch, type ScratchWorkspace } from "../support/scratch.ts";

const KEY = "MARKED-key-4f9c2b7e1d";
const ROWS = 3;

let endpoint: ScriptedEndpoint;
let tls: Awaited<ReturnType<typeof startTls>>;
let proxy: ScriptedProxy;
let scratch: ScratchWorkspace;
beforeEach(async () => {
  endpoint = await startEndpoint();
  tls = await startTls(endpoint.port);
  proxy = await startProxy("HTTP/1.1 200 Connection established\r\n\r\n", tls.port);
  scratch = makeScratch(ROWS, 2);
});
afterEach(async () => {
  await proxy.close();
  await tls.close();
  await endpoint.close();
  scratch.remove();
});

describe.each(HTTP_TABLE)("%s", (_name, one) => {
  const args = ["run", "--model", "m", "--jobs", "1", "--max-attempts", "1", "--keep-going", "--json"];
  const env = (): NodeJS.ProcessEnv => ({
    [one.url]: `https://${TLS_HOST}/v1`,
    [one.key]: KEY,
    HTTPS_PROXY: proxy.url,
  });

  it("is asked through one tunnel, and neither learns the credentials of the other", async () => {
    scratch.models([one.model]);
    const ended = await bench(scratch.root, args, { ...env(), NODE_EXTRA_CA_CERTS: TLS_CERTIFICATE });
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout).runs[0]).toMatchObject({ rows_completed: ROWS, errors: 0 });
    expect(proxy.asked).toEqual([`CONNECT ${TLS_HOST}:443`]);
    expect(proxy.credentials).toEqual([
      `Basic ${Buffer.from("some-user:proxy-secret-01").toString("base64")}`,
    ]);
    expect(endpoint.requests).toHaveLength(ROWS);
    for (const { path, headers } of endpoint.requests) {
      expect(path).toBe(one.path);
      expect(headers).toMatchObject({ host: TLS_HOST, authorization: `Bearer ${KEY}` });
      expect(headers).not.toHaveProperty("proxy-authorization");
    }
    for (const [path, text] of allFiles(join(scratch.root, "runs"))) {
      for (const secret of [KEY, TLS_HOST, "proxy-secret-01", "some-user"]) {
        expect(text.includes(secret), `${secret} in ${path}`).toBe(false);
      }
    }
  });

  it("gets no key where its certificate is trusted by nobody", async () => {
    scratch.models([one.model]);
    const ended = await bench(scratch.root, args, env());
    expect(JSON.parse(ended.stdout).runs[0]).toMatchObject({ rows_completed: ROWS, errors: ROWS });
    expect(endpoint.requests).toEqual([]);
    const files = [...allFiles(join(scratch.root, "runs"))];
    const results = files.find(([path]) => path.endsWith("results.jsonl"))?.[1] ?? "";
    for (const line of results.trim().split("\n")) {
      expect(JSON.parse(line)).toMatchObject({
        status: "transport_error",
        error: expect.stringMatching(/^no secure connection \([A-Z_]+\)$/),
      });
    }
  });
});

import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { UserError } from "../../src/errors.ts";
import {
  isLoopback,
  LAYA_VARIABLES,
  openaiVariables,
  readEndpoint,
  TYPESAFE_VARIABLES,
} from "../../src/providers/endpoints.ts";

const URL_NAME = "DECISION_BENCH_BASE_URL";
const KEY_NAME = "DECISION_BENCH_API_KEY";
const COMMON = openaiVariables(null);

function refusal(env: Record<string, string>, variables = COMMON): string {
  try {
    readEndpoint(env, variables);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  throw new Error("accepted");
}

describe("what is accepted", () => {
  test.each([
    ["https://api.example.com/v1", "https://api.example.com", "/v1", false],
    ["https://api.example.com", "https://api.example.com", "", false],
    ["https://api.example.com:8443/a/b/", "https://api.example.com:8443", "/a/b", false],
    ["HTTPS://API.Example.com/v1", "https://api.example.com", "/v1", false],
    ["http://127.0.0.1:8000/v1", "http://127.0.0.1:8000", "/v1", true],
    ["http://127.9.8.7:8000/v1", "http://127.9.8.7:8000", "/v1", true],
    ["http://localhost:11434/v1", "http://localhost:11434", "/v1", true],
    ["http://[::1]:8000/v1", "http://[::1]:8000", "/v1", true],
    ["  https://api.example.com/v1 \n", "https://api.example.com", "/v1", false],
  ])("%j", (text, origin, path, loopback) => {
    const endpoint = readEndpoint({ [URL_NAME]: text, [KEY_NAME]: "key-1234" }, COMMON);
    expect(endpoint).toMatchObject({ origin, path, loopback, key: "key-1234" });
  });

  test("loopback needs no key, an empty one is none", () => {
    const url = "http://127.0.0.1:1/v1";
    expect(readEndpoint({ [URL_NAME]: url }, COMMON).key).toBeNull();
    expect(readEndpoint({ [URL_NAME]: url, [KEY_NAME]: "" }, COMMON).key).toBeNull();
  });
});

describe("the id", () => {
  const id = (url: string) => readEndpoint({ [URL_NAME]: url, [KEY_NAME]: "key-1234" }, COMMON).id;

  test("is a digest of the base URL, whatever its trailing slash", () => {
    const hex = createHash("sha256").update("https://api.example.com/v1").digest("hex");
    expect(id("https://api.example.com/v1")).toBe(`endpoint-${hex.slice(0, 12)}`);
    expect(id("https://api.example.com/v1/")).toBe(id("https://api.example.com/v1"));
    expect(id("https://api.example.com/v2")).not.toBe(id("https://api.example.com/v1"));
  });

  test("does not depend on the key", () => {
    const other = readEndpoint({ [URL_NAME]: "https://api.example.com/v1", [KEY_NAME]: "other-key" }, COMMON);
    expect(other.id).toBe(id("https://api.example.com/v1"));
  });
});

describe("what is refused, naming the variable and never its value", () => {
  test.each([
    ["https://user:marker@api.example.com/v1", /credentials/],
    ["https://marker@api.example.com/v1", /credentials/],
    ["https://@marker.example.com/v1", /credentials/],
    ["https://marker.example.com/v1?x=1", /query/],
    ["https://marker.example.com/v1?", /query/],
    ["https://marker.example.com/v1#a", /fragment/],
    ["https://marker.example.com/v1#", /fragment/],
    ["http://marker.example.com/v1", /http to another machine/],
    ["http://10.0.0.1/v1/marker", /http to another machine/],
    ["http://0.0.0.0/marker", /http to another machine/],
    ["http://localhost.marker.com/v1", /http to another machine/],
    ["http://127.0.0.1.marker.com/v1", /http to another machine/],
    ["ftp://marker.example.com/v1", /not an http or https URL/],
    ["file:///etc/marker", /not an http or https URL/],
    ["javascript:marker", /not an http or https URL/],
    ["marker", /not a URL/],
    ["marker.example.com/v1", /not a URL/],
    ["https://", /not a URL/],
    ["https:///marker", /with a host/],
    ["https:marker", /with a host/],
    ["https://mar ker.example.com", /white space/],
    ["https://mar\nker.example.com", /white space/],
    ["https:\\\\marker\\v1", /backslash/],
    ["https://[marker]/v1", /not a URL/],
    ["https://marker:99999/v1", /not a URL/],
  ])("%j", (text, why) => {
    const message = refusal({ [URL_NAME]: text, [KEY_NAME]: "key-1234" });
    expect(message).toMatch(why);
    expect(message).toContain(URL_NAME);
    expect(message).not.toContain("marker");
  });

  test.each([
    [undefined, /is not set/],
    ["", /is not set/],
    ["abc", /shorter than 4/],
    ["marker key", /white space/],
    [" marker-key", /white space/],
    ["marker-key\n", /line end/],
    ["marker-ключ", /outside ASCII/],
    ["marker-é", /outside ASCII/],
  ])("the key %j", (key, why) => {
    const message = refusal({
      [URL_NAME]: "https://api.example.com/v1",
      ...(key === undefined ? {} : { [KEY_NAME]: key }),
    });
    expect(message).toMatch(why);
    expect(message).toContain(KEY_NAME);
    expect(message).not.toContain("marker");
    expect(message).not.toContain("api.example.com/v1,");
  });

  test("a bad key on loopback too", () => {
    expect(refusal({ [URL_NAME]: "http://127.0.0.1:1/v1", [KEY_NAME]: "abc" })).toMatch(/shorter/);
  });

  test("no base URL", () => {
    expect(refusal({})).toMatch(/^DECISION_BENCH_BASE_URL is not set/);
  });
});

describe("whose variables", () => {
  test("a named endpoint has its own", () => {
    expect(openaiVariables("my-lab_2")).toEqual({
      url: "DECISION_BENCH_MY_LAB_2_BASE_URL",
      key: "DECISION_BENCH_MY_LAB_2_API_KEY",
    });
    const env = { [URL_NAME]: "https://a.example.com", [KEY_NAME]: "key-1234" };
    expect(refusal(env, openaiVariables("lab"))).toMatch(/^DECISION_BENCH_LAB_BASE_URL is not set/);
  });

  test("typesafe has a default base URL, laya has none", () => {
    expect(readEndpoint({ TYPESAFE_API_KEY: "key-1234" }, TYPESAFE_VARIABLES).baseUrl).toBe(
      "https://api.typesafe.ai/v1",
    );
    expect(refusal({ LAYA_API_KEY: "key-1234" }, LAYA_VARIABLES)).toMatch(/^LAYA_BASE_URL is not set/);
  });
});

test("loopback is 127.0.0.0/8, ::1 and localhost", () => {
  for (const url of [
    "http://127.1/",
    "http://0x7f.1/",
    "http://2130706433/",
    "http://LOCALHOST/",
    "http://[0:0::1]/",
  ]) {
    expect(isLoopback(new URL(url).hostname)).toBe(true);
  }
  for (const url of [
    "http://128.0.0.1/",
    "http://[::2]/",
    "http://localhost.example/",
    "http://127.example/",
  ]) {
    expect(isLoopback(new URL(url).hostname)).toBe(false);
  }
});

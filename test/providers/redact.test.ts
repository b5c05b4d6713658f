import { describe, expect, test } from "vitest";
import { cutBetweenWords, quoteBriefly, wholeWords } from "../../src/answers/text.ts";
import { UserError } from "../../src/errors.ts";
import { NO_USAGE } from "../../src/ledgers/schema.ts";
import { type CallOutcome, NO_OUTCOME } from "../../src/providers/provider.ts";
import {
  assertKeysOutsideLabels,
  assertKeysOutsideSettings,
  configuredKeys,
  createRedactor,
} from "../../src/providers/redact.ts";
import { serverMessage } from "../../src/providers/response.ts";
import { makeRow } from "../support/rows.ts";

const PATHS = { home: ["/home/marked-person"], temp: ["/tmp"], install: ["/opt/marked-install"] };
const KEY = "marked+key/with=signs";
const ENV = {
  DECISION_BENCH_BASE_URL: "https://gateway.marked.example:8443/secret-path/v1/",
  DECISION_BENCH_API_KEY: KEY,
  DECISION_BENCH_LAB_BASE_URL: "http://127.0.0.1:43117/v1",
  DECISION_BENCH_LAB_API_KEY: "lab-key-0001",
  TYPESAFE_API_KEY: "typesafe-key-0002",
  LAYA_BASE_URL: "https://llm/v1",
  LAYA_API_KEY: "laya-key-0003",
  ANTHROPIC_API_KEY: "anthropic-key-0004",
  ANTHROPIC_BASE_URL: "https://proxy.marked.example",
  OPENAI_API_KEY: "openai-key-0005",
  HTTPS_PROXY: "http://someone:proxy-word-0006@10.1.2.3:3128",
};
const redactor = createRedactor(ENV, PATHS);
const base64 = (text: string) => Buffer.from(text).toString("base64");
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join("");

describe("keys", () => {
  const keys = Object.entries(ENV).flatMap(([name, value]) => (name.endsWith("_API_KEY") ? [value] : []));

  test.each([...keys, "proxy-word-0006"])("%s in every form", (key) => {
    const forms = [
      key,
      `before${key}after`,
      `Bearer ${key}`,
      encodeURIComponent(key),
      encodeURIComponent(encodeURIComponent(key)),
      percent(key),
      percent(key).toUpperCase(),
      percent(key.slice(0, 3)) + key.slice(3),
      JSON.stringify(JSON.stringify(`"${key}"`)),
      key.replaceAll("/", "\\/"),
      key.toUpperCase(),
      key.toLowerCase(),
      Buffer.from(key).toString("hex"),
      Buffer.from(key).toString("hex").toUpperCase(),
      [...key].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ];
    for (const form of forms) {
      const masked = redactor.text(`x ${form} y`);
      expect(masked).not.toContain(key);
      expect(masked).toContain("[redacted]");
      for (const part of [key, percent(key), encodeURIComponent(key)]) expect(masked).not.toContain(part);
    }
  });

  test.each(["", "a", "ab", "abc", "Bearer ", "Basic user:"])("base64 after %j", (before) => {
    for (const after of ["", "x", "xy", "xyz"]) {
      const encoded = base64(before + KEY + after);
      for (const text of [
        encoded,
        encoded.replaceAll("+", "-").replaceAll("/", "_"),
        encodeURIComponent(encoded),
      ]) {
        const masked = redactor.text(text);
        expect(masked).toContain("[redacted]");
        expect(masked.length).toBeLessThan(text.length - KEY.length + 6);
        expect(Buffer.from(masked.replace("[redacted]", ""), "base64").toString()).not.toContain("marked");
      }
    }
  });

  test.each([
    ["\\x", (byte: number) => `\\x${byte.toString(16)}`, ""],
    ["\\x, escaped once more", (byte: number) => `\\\\x${byte.toString(16).toUpperCase()}`, ""],
    ["octal escapes", (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`, ""],
    ["\\u{}", (byte: number) => `\\u{${byte.toString(16)}}`, ""],
    ["quoted-printable", (byte: number) => `=${byte.toString(16).toUpperCase()}`, ""],
    ["quoted-printable in short lines", (byte: number) => `=${byte.toString(16).toUpperCase()}=\r\n`, ""],
    ["quoted-printable with escaped line ends", (byte: number) => `${String.fromCharCode(byte)}=\\r\\n`, ""],
    ["quoted-printable on one line", (byte: number) => `=${byte.toString(16)}= `, ""],
    ["a list", String, ","],
    ["a list with blanks", String, ", "],
    ["a list without commas", String, " "],
    ["a list in texts", (byte: number) => `"${byte}"`, ","],
    ["a list of hex bytes", (byte: number) => byte.toString(16), " "],
    ["hex bytes with colons", (byte: number) => byte.toString(16).toUpperCase(), ":"],
    ["hex bytes with prefix in lines", (byte: number) => `0x${byte.toString(16)}`, ",\n  "],
    ["hex bytes with prefix and escaped line ends", (byte: number) => `0x${byte.toString(16)}`, ",\\n  "],
    ["a list of UTF-16", (byte: number) => `${byte},0`, ","],
  ])("as %s", (_, write, between) => {
    for (const key of keys) {
      const form = [...Buffer.from(key)].map(write).join(between);
      for (const text of [`x ${form} y`, `x ${form}`, `[${form}]`]) {
        const masked = redactor.text(text);
        expect(masked).toContain("[redacted]");
        // Nothing but what stands around: a closing bracket, the last zero of UTF-16.
        expect(masked.replace("[redacted]", "").length).toBeLessThan(12);
        expect(redactor.text(masked)).toBe(masked);
      }
      expect(JSON.stringify(redactor.value({ said: [`(${form})`] }))).not.toContain(form.slice(0, 20));
    }
  });

  test("as a buffer's JSON; other lists of numbers stay lists", () => {
    const raw = { type: "Buffer", data: [1, 2, ...Buffer.from(KEY), 3], sizes: [1, 2, 3, 4, 5, 6, 7, 8, 9] };
    expect(redactor.value(raw)).toEqual({ ...raw, data: "1,2,[redacted],3" });
  });

  test("with backslashes of its own, escaped once more", () => {
    for (const own of [
      "ab\\x41cdefgh",
      "ab\\101cdefgh",
      "ab\\u0041cdefgh",
      "abcdefgh\\x4",
      "abcdefgh\\10",
      "abcde%%0",
    ]) {
      const other = createRedactor({ DECISION_BENCH_API_KEY: own }, PATHS);
      const escaped = [...own]
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
        .join("");
      for (const form of [
        own,
        escaped,
        percent(own),
        JSON.stringify(own),
        `${percent(own)}1`,
        `${escaped}0123`,
      ]) {
        const masked = other.text(`x ${form} y`);
        expect(masked, form).toContain("[redacted]");
        // What follows may complete an escape that begins at the end; no more than that is left.
        for (const part of [own.slice(0, 5), percent(own.slice(0, 5))]) expect(masked).not.toContain(part);
      }
    }
  });

  test("in object keys, in lists, in depth; masked keys do not swallow each other", () => {
    const masked = redactor.value({
      [`a ${KEY}`]: 1,
      [`a ${base64(KEY)}`]: 2,
      list: [[{ deep: `x${KEY}` }]],
    });
    expect(JSON.stringify(masked)).not.toContain("marked");
    expect(Object.values(masked as object)).toContain(1);
    expect(Object.values(redactor.value({ [KEY]: 1, "[redacted]": 2 }) as object)).toEqual([1, 2]);
  });
});

/** Forms that each secret is masked in whole or, in base64, but for what its neighbours decide. */
const wrapped = (text: string, width: number, end: string) =>
  base64(`before it ${text} and behind it`).replace(new RegExp(`.{${width}}`, "g"), `$&${end}`);
const entities = (text: string, form: (code: number) => string) =>
  [...text].map((unit) => form(unit.charCodeAt(0))).join("");
const NAMED: Readonly<Record<string, string>> = {
  "+": "&plus;",
  "/": "&sol;",
  "=": "&equals;",
  ":": "&colon;",
  ".": "&period;",
};
const FORMS: readonly (readonly [string, (text: string) => string])[] = [
  ["base64 in lines of 76", (text) => wrapped(text, 76, "\r\n")],
  ["base64 in lines of 64", (text) => wrapped(text, 64, "\n")],
  ["base64 in short lines, indented", (text) => wrapped(text, 12, "\n  ")],
  ["base64 in lines inside JSON", (text) => JSON.stringify({ a: wrapped(text, 20, "\r\n") })],
  ["base64 in lines, percent-encoded", (text) => encodeURIComponent(wrapped(text, 20, "\r\n"))],
  ["base64 in lines that became one", (text) => wrapped(text, 16, " ")],
  ["decimal entities", (text) => entities(text, (code) => `&#${code};`)],
  ["padded entities", (text) => entities(text, (code) => `&#0${code};`)],
  ["hex entities", (text) => entities(text, (code) => `&#x${code.toString(16)};`)],
  ["hex entities in capitals", (text) => entities(text, (code) => `&#X${code.toString(16).toUpperCase()};`)],
  ["named entities", (text) => text.replace(/[+/=:.]/g, (sign) => NAMED[sign] ?? sign)],
  ["entities of entities", (text) => entities(text, (code) => `&amp;amp;#${code};`)],
  ["entities inside percent encoding", (text) => encodeURIComponent(entities(text, (code) => `&#${code};`))],
  ["UTF-16 read as UTF-8", (text) => Buffer.from(text, "utf16le").toString("utf8")],
  ["UTF-16 in the other order", (text) => Buffer.from(text, "utf16le").swap16().toString("utf8")],
  ["UTF-16 inside JSON", (text) => JSON.stringify(Buffer.from(text, "utf16le").toString("utf8"))],
];

describe.each(FORMS)("%s", (_, encode) => {
  test.each([
    [KEY, "[redacted]"],
    ["https://gateway.marked.example:8443/secret-path/v1", "[url]"],
    ["gateway.marked.example", "[host]"],
    ["/home/marked-person", "[home]"],
  ])("%s is masked", (secret, mask) => {
    const masked = redactor.text(`before ${encode(secret)} behind`);
    expect(masked).toContain(mask);
    // Nothing of its middle is left in any form that it was found in.
    expect(masked.length).toBeLessThan(120);
    expect(redactor.find(encode(secret), true)).not.toBeNull();
    expect(redactor.text(masked)).toBe(masked);
  });

  test("of nothing that is configured stays as it is", () => {
    const text = encode("an ordinary text, of the length of an address or so");
    expect(redactor.text(text)).toBe(text);
  });
});

test("letters beyond ASCII, and characters of two units", () => {
  const home = "/home/Jörg 😀";
  const own = createRedactor({}, { home: [home], temp: [], install: [] });
  const units = Array.from({ length: home.length }, (_, at) => home.charCodeAt(at));
  for (const form of [
    home,
    encodeURI(home),
    units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join(""),
    [...home].map((character) => `&#${character.codePointAt(0)};`).join(""),
    home.replace("ö", "\\u00f6"),
  ]) {
    expect(own.text(`in ${form}/x`)).toBe("in [home]/x");
  }
});

test("a key between characters that would make escapes with it", () => {
  for (const key of ["41-key-0001%", "key%41-0001", "u0041key\\0001", "#45;key-0001&", "key-0001\\u0"]) {
    const own = createRedactor({ LAYA_API_KEY: key }, { home: [], temp: [], install: [] });
    for (const before of ["%", "\\", "&", "%2", ""]) {
      for (const after of ["41", "%41", '\\"', "amp;", ""]) {
        for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]) {
          if (form !== key && before !== "") continue;
          expect(own.text(before + form + after)).toContain("[redacted]");
        }
      }
    }
  }
});

test("a key on the border of two parts of a long text", () => {
  for (const shift of [0, 1, 7, 20, 21, 22, 40, 60, 90, 120]) {
    for (const form of [KEY, percent(KEY), entities(KEY, (code) => `&amp;#${code};`)]) {
      const before = "%20".padEnd(256 * 1024 - shift, "-");
      expect(redactor.text(`${before}${form}-`)).toBe(`${before}[redacted]-`);
    }
  }
});

describe("a text that was cut between words", () => {
  const own = createRedactor(ENV, { home: ["/home/jo  anne smith"], temp: ["/tmp"], install: [] });

  test("keeps no part of a folder with blanks in its name", () => {
    const text = "The file /home/jo  anne smith/x is not there.";
    for (let units = 1; units <= text.length; units += 1) {
      for (const cut of [
        cutBetweenWords(text, units),
        wholeWords(text.slice(0, units)),
        cutBetweenWords(text.replace(/\s+/g, " "), units),
        `said: ${quoteBriefly(text.slice(0, units).padEnd(80, "x"))}`,
        serverMessage({ error: { message: text.slice(9).padStart(300 + units) } }) ?? "",
      ]) {
        expect(own.text(cut)).not.toMatch(/jo|anne|smith/);
        expect(own.text(own.text(cut))).toBe(own.text(cut));
      }
    }
    const encoded = JSON.stringify("see /home/jo  anne smith").replaceAll("/", "\\/").slice(1, -7);
    expect(own.text(`${encoded}…`)).toBe("see [home]…");
    expect(own.text("in /home/jolly…")).toBe("in /home/jolly…");
  });

  test("keeps no lines of base64 that a key begins in", () => {
    const lines = wrapped(KEY, 16, "\n");
    const half = lines.slice(0, lines.indexOf("\n", 40));
    expect(lines).toContain(half);
    for (const cut of [`${half}\n…`, half, `said: ${half.replaceAll("\n", " ")}…`]) {
      const masked = own.text(cut);
      expect(masked).toContain("[redacted]");
      expect(Buffer.from(masked.replace(/\[redacted\].*|said: /gs, ""), "base64").toString()).not.toContain(
        KEY.slice(0, 4),
      );
    }
  });
});

describe("addresses", () => {
  test.each([
    "https://gateway.marked.example:8443/secret-path/v1/chat/completions",
    "https://GATEWAY.marked.EXAMPLE:8443/other",
    "connect ECONNREFUSED gateway.marked.example:8443",
    "getaddrinfo ENOTFOUND gateway.marked.example",
    "https%3A%2F%2Fgateway.marked.example%3A8443",
    "https:\\/\\/gateway.marked.example:8443\\/secret-path\\/v1",
    base64("https://gateway.marked.example:8443/secret-path/v1"),
    base64("xhttps://gateway.marked.example:8443/secret-path/v1"),
    base64("host gateway.marked.example"),
    "proxy.marked.example",
    "via 10.1.2.3:3128 and 10.1.2.3",
    "api.typesafe.ai",
  ])("%s", (text) => {
    const masked = redactor.text(text);
    for (const part of ["marked.example", "secret-path/v1", "10.1.2.3", "typesafe.ai"]) {
      expect(masked.toLowerCase()).not.toContain(part);
    }
    expect(masked).not.toMatch(/bWFya2Vk|1hcmtlZ|tYXJrZW/);
    expect(masked).toMatch(/\[(url|host)\]/);
  });

  test("loopback: the base URL and host:port always, the words never", () => {
    expect(redactor.text("http://127.0.0.1:43117/v1/models")).toBe("[url]/models");
    expect(redactor.text("connect ECONNREFUSED 127.0.0.1:43117")).toBe("connect ECONNREFUSED [host]");
    const plain = "it runs on localhost, that is 127.0.0.1, port 43117; http://127.0.0.1:80/v1";
    expect(redactor.text(plain)).toBe(plain);
  });

  test("a host of one word only where it stands alone", () => {
    expect(redactor.text("https://llm:443/x and llm:443 of llm, but vllm, llms and an-llm-server stay")).toBe(
      "[url]:443/x and [host] of [host], but vllm, llms and an-llm-server stay",
    );
  });
});

describe("folders", () => {
  test.each([
    ["/home/marked-person/.config/x", "[home]/.config/x"],
    ["file:///home/marked-person", "file://[home]"],
    ["ENOENT: open '/opt/marked-install/dist/cli.js'", "ENOENT: open '[install]/dist/cli.js'"],
    ["cwd=/tmp/bench-x1", "cwd=[temp]/bench-x1"],
    ["%2Fhome%2Fmarked-person%2Fx", "[home]%2Fx"],
    ["and/tmp or /tmpfile stay", "and/tmp or /tmpfile stay"],
  ])("%s", (text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });

  test("in base64", () => {
    expect(redactor.text(base64("HOME=/home/marked-person"))).toContain("[home]");
  });
});

describe("what is not configured but looks like a credential", () => {
  test.each([
    ["Authorization: Bearer abcdefgh12345", "abcdefgh12345"],
    ["use Bearer abcdefgh12345 please", "abcdefgh12345"],
    ["Authorization: Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ["Incorrect API key provided: sk-proj-abcdefghijklmnop1234", "abcdefghijklmnop1234"],
    ['{"api_key": "some thing", "x": 1}', "some thing"],
    ['{\\"api_key\\":\\"something\\"}', "something"],
    ["?api_key=something&x=1", "something"],
    ["Cookie: session=abc; other=def", "def"],
    ["x-request-id: some-request", "some-request"],
    ['"system_fingerprint":"some-print"', "some-print"],
    ['{"id":"some-request"', "some-request"],
    ['{"id":"some-reque', "some-reque"],
  ])("%s", (text, secret) => {
    const masked = redactor.text(text);
    expect(masked).not.toContain(secret);
    expect(masked).toContain("[redacted]");
  });

  test("values under such names are masked whole, ids and routes are left out, numbers stay", () => {
    expect(
      redactor.value({
        id: "chatcmpl-1",
        object: "chat.completion",
        request_id: "req-1",
        requestId: 7,
        "x-request-id": "req-2",
        system_fingerprint: "fp",
        "x-litellm-model-id": "deployment-1",
        "cf-ray": "ray",
        deployment: "east",
        deployment_id: "east-1",
        api_base: "https://x",
        headers: {
          Authorization: "abc",
          "Set-Cookie": ["a", "b"],
          api_key: { nested: true },
          "X-Api-Key": "x",
        },
        usage: { completion_tokens: 5, prompt_tokens: 0.5, password: 3, cookie: null },
        choices: [{ id: { kept: 1 }, message: { tool_calls: [{ id: "call-1", type: "function" }] } }],
      }),
    ).toEqual({
      object: "chat.completion",
      headers: {
        Authorization: "[redacted]",
        "Set-Cookie": "[redacted]",
        api_key: "[redacted]",
        "X-Api-Key": "[redacted]",
      },
      usage: { completion_tokens: 5, prompt_tokens: 0.5, password: 3, cookie: null },
      choices: [{ id: { kept: 1 }, message: { tool_calls: [{ type: "function" }] } }],
    });
  });

  test("odd data: any key, lone surrogates, depth without end", () => {
    const odd = redactor.value(
      JSON.parse('{"__proto__": {"constructor": "x"}, "10": 1, "\\ud800": "\\udc00"}'),
    );
    expect(JSON.stringify(odd)).toBe('{"10":1,"__proto__":{"constructor":"x"},"\ufffd":"\ufffd"}');
    const deep = redactor.value(JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`));
    expect(JSON.stringify(deep)).toContain("nested too deep");
  });
});

describe("an outcome", () => {
  test("of a hundred ids holds none of them, in whatever form and beside whatever", () => {
    const ids = Array.from({ length: 100 }, (_, i) => `req-${i}-Marked/${i}`);
    const last = ids[99] ?? "";
    const texts = [`id:${last} failed`, `got a/${last} here`, `(${base64(last)})`, percent(last), `${last}:`];
    for (const text of texts) {
      const raw = { list: ids.map((id) => ({ id })), said: text };
      const masked = redactor.outcome(
        { ...outcome, traceIds: [], raw, error: text, outputText: text },
        makeRow(),
      );
      for (const form of [last, base64(last).slice(0, -2), percent(last)]) {
        expect(JSON.stringify(masked), text).not.toContain(form);
      }
      expect(masked.raw).toMatchObject({ list: ids.map(() => ({})) });
      expect(masked.error).toContain("[redacted]");
    }
  });

  test("of thousands of ids is written without what would have to be searched for all of them", () => {
    const ids = (count: number) => Array.from({ length: count }, (_, i) => `req-${i}-Marked${i}`);
    const of = (count: number) => ({
      ...{ ...outcome, traceIds: [], raw: ids(count).map((id) => ({ id, said: `no ${id}` })) },
      ...{ error: `see ${ids(count).at(-1)}, ${ids(count)[7]}`, outputText: `(${ids(count)[1]})` },
    });
    const leftOut = "left out: it names too many requests or sessions";
    const many = redactor.outcome(of(4000), makeRow());
    expect(many).toMatchObject({
      raw: leftOut,
      error: "see [redacted], [redacted]",
      outputText: "([redacted])",
    });
    const tooMany = redactor.outcome(of(6000), makeRow());
    expect(tooMany).toMatchObject({ raw: leftOut, error: leftOut, outputText: null, finishReason: null });
  });

  test("whose text cannot be searched for all of its ids is no right answer, and says why", () => {
    const raw = Array.from({ length: 6000 }, (_, i) => ({ id: `req-${i}-Marked${i}` }));
    const usage = { ...NO_USAGE, input_tokens: 5, output_tokens: 7 };
    expect(redactor.outcome({ ...outcome, usage, raw }, makeRow())).toMatchObject({
      status: "invalid_transport_output",
      error: "the answer names too many requests or sessions for its text to be kept",
      retryable: false,
      answer: null,
      outputText: null,
      usage,
      reportedCostUsd: 0.5,
    });
    // Without a text nothing is lost, and what was wrong already stays what it was.
    expect(redactor.outcome({ ...outcome, outputText: null, raw }, makeRow())).toMatchObject({
      status: "ok",
      error: null,
      answer: outcome.answer,
    });
    const wrong = { ...outcome, status: "invalid_output", error: "no content", answer: null, raw };
    expect(redactor.outcome(wrong, makeRow())).toMatchObject({
      status: "invalid_output",
      error: "left out: it names too many requests or sessions",
    });
  });

  test("with thousands of keys that become one by masking takes time that grows with their number alone", () => {
    const time = (count: number): number => {
      const raw = Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`sk-${"a".repeat(20)}${i}`, i]),
      );
      const runs = [1, 2, 3].map(() => {
        const begun = performance.now();
        const masked = redactor.outcome({ ...outcome, raw }, makeRow());
        expect(Object.keys(masked.raw as object)).toHaveLength(count);
        return performance.now() - begun;
      });
      return Math.min(...runs);
    };
    time(500);
    // Sixteen times as many: quadratic time would be 256-fold.
    expect(time(16_000) / time(1000)).toBeLessThan(80);
  });

  const outcome: CallOutcome = {
    status: "ok",
    error: null,
    retryable: false,
    retryAfterMs: null,
    answer: {
      label: "cookie",
      probabilities: new Map([
        ["cookie", 0.25],
        ["id", 0.75],
      ]),
      rawProbabilitySum: 1,
      labelIsArgmax: false,
      probabilitySource: "verbalized",
    },
    outputText:
      '{"answers": {"decision": {"label": "cookie", "probabilities": {"cookie": 0.25, "id": 0.75}}}}',
    outputWrapper: "none",
    finishReason: "stop",
    usage: NO_USAGE,
    reportedCostUsd: 0.5,
    costSource: "usage.cost",
    resolvedModel: "model-2025-01",
    httpStatus: 200,
    providerDurationMs: 3,
    imagesSent: 0,
    raw: { id: "chatcmpl-0a1b2c3d", model: "model-2025-01" },
    traceIds: ["req-0a1b2c3d", "model-2025-01", "cloudflare", "short"],
    secrets: [],
  };

  test("of an ordinary call keeps its answer, its text and its numbers", () => {
    const masked = redactor.outcome(outcome, makeRow());
    expect(masked).toEqual({ ...outcome, raw: { model: "model-2025-01" }, traceIds: [] });
    expect(masked.answer).toBe(outcome.answer);
  });

  test("keeps no id or route of the request, wherever and however it was echoed", () => {
    const ids = ["req-0a1b2c3d", "chatcmpl-0a1b2c3d"];
    for (const id of ids) {
      for (const form of [
        id,
        base64(id),
        base64(`a${id}`),
        base64(`ab${id}`),
        percent(id),
        percent(id).toUpperCase(),
      ]) {
        const masked = JSON.stringify(
          redactor.outcome(
            {
              ...outcome,
              error: `see ${form}`,
              outputText: `see ${form}`,
              raw: { ...(outcome.raw as object), [form]: [`(${form})`] },
            },
            makeRow(),
          ),
        );
        expect(masked).not.toContain(form);
        expect(masked).not.toContain("0a1b2c3d");
      }
    }
  });

  test("keeps no credential that this call alone knows, not even as the name of the model", () => {
    const token = "Marked-Token_0123456789+x";
    const hex = Buffer.from(token).toString("hex");
    const cased = [token.toLowerCase(), token.toUpperCase(), hex, hex.toUpperCase()];
    for (const form of [token, ...cased, base64(token), base64(`ab${token}`), percent(token)]) {
      const masked = redactor.outcome(
        {
          ...outcome,
          secrets: [token],
          error: `see ${form}`,
          outputText: `see ${form}`,
          resolvedModel: `model-${form}`,
          costSource: form,
          finishReason: form,
          raw: { model: form, [form]: [`(${form})`] },
        },
        makeRow(),
      );
      expect(masked.secrets).toEqual([]);
      // What stands around it in base64 may be left of a longer one.
      expect(JSON.stringify(masked).toLowerCase()).not.toContain(form.slice(4, -8).toLowerCase());
    }
  });

  test("masks a token that this call alone knows in the forms in which configured keys are masked", () => {
    const token = "Marked/Token_0123456789+abcdefghijklmnopqrstuvwxyz=x";
    const json = JSON.stringify(token);
    const forms = [
      json.replaceAll("/", "\\/"),
      JSON.stringify(json.replaceAll("/", "\\/")),
      token.replaceAll("/", "\\u002f").replaceAll("=", "\\u003d"),
      token.replaceAll("/", "&#x2F;"),
      token.replaceAll("/", "%2F"),
      encodeURIComponent(encodeURIComponent(token)),
      base64(token).replace(/.{20}/g, "$&\r\n"),
    ];
    for (const form of forms) {
      const masked = redactor.outcome(
        { ...outcome, secrets: [token], error: `see ${form}`, raw: { said: form } },
        makeRow(),
      );
      for (const part of ["0123456789", "ghijklmnop", base64(token).slice(4, 16)]) {
        expect(JSON.stringify([masked.error, masked.raw]), form).not.toContain(part);
      }
    }
    // It is a secret of that call, not of the next one.
    expect(redactor.outcome({ ...outcome, error: `see ${token}` }, makeRow()).error).toContain("0123456789");
  });

  test.each([
    ["the end", (cut: string) => `boom error key=${cut}`],
    ["the end of its last line", (cut: string) => `boom\nkey: ${cut}\n`],
    ["a cut", (cut: string) => `boom ${cut}… (more)`],
  ])("masks most of a configured key at %s of a text", (_, said) => {
    const cut = KEY.slice(0, -1);
    expect(redactor.text(said(cut))).not.toContain(cut.slice(0, 12));
    expect(redactor.text(said(KEY.slice(0, Math.ceil(KEY.length / 2))))).not.toContain(KEY.slice(0, 12));
    // A few characters are what keys of its issuer begin with.
    expect(redactor.text(said(KEY.slice(0, 6)))).toBe(said(KEY.slice(0, 6)));
  });

  test("does not mask what a label of the answer holds, nor plain words and short values", () => {
    const answer = outcome.answer && { ...outcome.answer, probabilities: new Map([["us-east-1", 1]]) };
    const text = "us-east-1 cloudflare short";
    const masked = redactor.outcome(
      {
        ...outcome,
        answer,
        outputText: text,
        traceIds: [...outcome.traceIds, "us-east-1"],
      },
      makeRow(["us-east-1", "no"]),
    );
    expect(masked.outputText).toBe(text);
  });
});

test("nothing of an outcome that we sent ourselves is an id of the server's", () => {
  const row = makeRow(["refund-0001", "wait"]);
  const asked = {
    ...row,
    state: 'ticket "T-0815-4711" of customer-0002',
    question: { ...row.question, id: "question-0003", instructions: "Use form F-1234-5678." },
  };
  const own = [
    "refund-0001",
    "T-0815-4711",
    "customer-0002",
    "question-0003",
    "F-1234-5678",
    "probabilities",
  ];
  const text = `${own.join(" ")} and chatcmpl-0004, req-00005`;
  for (const id of own) {
    const masked = redactor.outcome(
      {
        ...NO_OUTCOME,
        error: text,
        outputText: text,
        raw: { id, choices: [{ request_id: "chatcmpl-0004", text }], region: id },
        traceIds: [id, "req-00005"],
      },
      asked,
    );
    const rest = `${own.join(" ")} and [redacted], [redacted]`;
    expect(masked).toMatchObject({ error: rest, outputText: rest, raw: { choices: [{ text: rest }] } });
  }
});

describe("ordinary text", () => {
  test.each([
    "The request took 30 % longer; see /usr/share/doc and https://example.com/a?b=c.",
    "A cookie recipe, a password reset, an authorization form, an id card.",
    '{"answers": {"decision": {"label": "a/b", "probabilities": {"a/b": 1e-05}}}}',
    "100%25 of \\u0041 and \\/ and \\\\n",
    "task-management, sk-1, bearer of news",
    "rows 12, 34, 56, 78, 90, 12, 34, 56 = 5 and \\x41 or \\101, de ad be ef de ad be ef",
    "a=41&b=\r\n=3D",
    "",
  ])("%j stays as it is", (text) => {
    expect(redactor.text(text)).toBe(text);
    expect(createRedactor({}, { home: [], temp: [], install: [] }).text(text)).toBe(text);
  });
});

test.each([
  "ab cdefg hij kl %41",
  "%3",
  "&amp;",
  "marked\0",
  "bWFya2Vk\r\n",
  "=41=\r\n",
  "77, 0x61 ",
  "\\u{41}\\x61\\101",
  "https://gateway.marked.example:844",
])("%j without end takes time that grows with its length and no faster", (part) => {
  const cpuMs = (megabytes: number, of = part): number => {
    const text = of.repeat((megabytes * 2 ** 20) / of.length);
    const begun = process.cpuUsage();
    redactor.text(`%41${text}31`);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  // The least of several is the work itself; what is above it is that of whatever else the machine did.
  const short = Math.min(cpuMs(1), cpuMs(1), cpuMs(1));
  const long = cpuMs(8);
  expect(long).toBeLessThan(24 * Math.max(short, 20));
  // Looking for every form at every place took ten times as long as plain words do, which are measured in the same moment.
  const plain = "ab cdefg hij kl %41";
  const usual = Math.min(cpuMs(1, plain), cpuMs(1, plain), cpuMs(1, plain));
  expect(short).toBeLessThan(7 * Math.max(usual, 20));
});

test.each([
  "\\",
  "\\u005c",
  "%25",
  "sk-",
  "api_key ",
  'api_key: "\\a',
  "cookie: ",
  '"id":"',
  "authorization: basic ",
  "npm.",
])("%j without end takes linear time", (part) => {
  for (const text of [
    part.repeat(200_000 / part.length),
    `api_key: ${" ".repeat(100_000)}cookie:${" ".repeat(100_000)}`,
  ]) {
    const start = performance.now();
    redactor.text(text);
    redactor.text(`api_key"${text}`);
    expect(performance.now() - start).toBeLessThan(3000);
  }
});

test("many short texts take little more than their length", () => {
  const events = Array.from({ length: 50_000 }, (_, at) => ({
    type: "chat.completion",
    text: `event ${at} something`,
  }));
  const begun = process.cpuUsage();
  redactor.value(events);
  const { user, system } = process.cpuUsage(begun);
  // Looking for what a cut may have left in each of them took two seconds and more; this takes a tenth of one.
  expect((user + system) / 1000).toBeLessThan(1500);
});

test("an environment without anything, and one that is broken, can be redacted with", () => {
  expect(createRedactor({}).text("x")).toBe("x");
  const broken = createRedactor({ DECISION_BENCH_BASE_URL: "no url at all", LAYA_BASE_URL: "" }, PATHS);
  expect(broken.text("see no url at all")).toBe("see [url]");
  const proxied = createRedactor({ HTTPS_PROXY: "http://me:pass%zz%21word@10.1.2.3:1" }, PATHS);
  expect(proxied.text("pass%zz%21word, pass%zz!word")).toBe("[redacted], [redacted]");
});

test("the credentials of a proxy, whichever part holds them", () => {
  const both = createRedactor({ HTTPS_PROXY: "http://some%20one:word-0006@10.1.2.3:3128" }, PATHS);
  for (const text of [
    "word-0006",
    "some one:word-0006",
    "some%20one:word-0006",
    base64("some one:word-0006"),
  ]) {
    expect(both.text(`x ${text} y`)).toBe("x [redacted] y");
  }
  const token = createRedactor({ HTTPS_PROXY: "http://token-0007@10.1.2.3:3128" }, PATHS);
  expect(token.text(`x token-0007 y ${base64("token-0007:")} z`)).toMatch(
    /^x \[redacted\] y \[redacted\]\S{0,3} z$/,
  );
  const short = createRedactor({ HTTPS_PROXY: "http://me@10.1.2.3:3128" }, PATHS);
  expect(short.text("tell me")).toBe("tell me");
});

describe("keys that cannot be masked", () => {
  const check =
    (env: Record<string, string>, labels: string[], id = "decision") =>
    () => {
      const row = makeRow(labels);
      assertKeysOutsideLabels(configuredKeys(env), [{ ...row, question: { ...row.question, id } }]);
    };

  test("because a label or an answer key holds them", () => {
    for (const refused of [
      check({ LAYA_API_KEY: "refund" }, ["yes", "full_refund_later"]),
      check({ LAYA_API_KEY: "deci" }, ["a", "b"]),
      check({ LAYA_API_KEY: "prob" }, ["a", "b"]),
      check({ DECISION_BENCH_X_API_KEY: "a+b c".replace(" ", "") }, ["a+bc", "b"]),
    ]) {
      expect(refused).toThrow(UserError);
      expect(refused).toThrow(/_API_KEY cannot be kept out of the results/);
      expect(refused).not.toThrow(/refund|a\+bc/);
    }
  });

  test("because a setting of the run holds them", () => {
    const settings = { api_model: "ollama-q", request: { token_limit_field: "max_tokens", effort: "none" } };
    const refuse = (key: string) => () =>
      assertKeysOutsideSettings(configuredKeys({ DECISION_BENCH_API_KEY: key }), settings);
    expect(refuse("ollama")).toThrow(
      /DECISION_BENCH_API_KEY .* inside the setting api_model\. Use another key/,
    );
    expect(refuse("ollama")).not.toThrow(/ollama/);
    expect(refuse("none")).toThrow(/the setting request\.effort\./);
    expect(refuse("token")).toThrow(/the setting names of request\./);
    expect(refuse("a-real-key")).not.toThrow();
  });

  test("because they are too short, or could not be sent", () => {
    expect(check({ OPENAI_API_KEY: "abc" }, ["a", "b"])).toThrow(/OPENAI_API_KEY is shorter than 4/);
    expect(check({ OPENAI_API_KEY: "abc def" }, ["a", "b"])).toThrow(/OPENAI_API_KEY holds white space/);
  });

  test("and none of these is a problem", () => {
    expect(check({ OPENAI_API_KEY: "", HOME: "a", OTHER_API_KEY: "a" }, ["a", "b"])).not.toThrow();
    expect(check({ OPENAI_API_KEY: "abcd" }, ["ab", "cd"])).not.toThrow();
    expect(check({}, ["a", "b"])).not.toThrow();
  });
});

test("a slash that JSON has escaped more than once hides nothing", () => {
  for (const text of [
    "\\/home\\/marked-person",
    "\\\\/home\\\\/marked-person",
    "\\\\\\/home\\\\\\/marked-person",
  ]) {
    expect(redactor.text(`x ${text} y`)).not.toContain("marked-person");
  }
});

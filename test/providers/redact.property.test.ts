// A marked key in any place and any encoding never survives, and masking twice changes nothing.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRedactor } from "../../src/providers/redact.ts";

const PATHS = { home: ["/home/marked-person"], temp: ["/tmp"], install: [] };

/** Visible ASCII, as a key may hold it; without brackets, which the masks themselves are made of. */
const key = fc
  .string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
    maxLength: 60,
  })
  .filter((text) => !/[[\]]/.test(text) && !/redacted|url|host|home|temp|install/i.test(text));

const hexByte = (code: number) => `%${code.toString(16).padStart(2, "0")}`;
const encoders: readonly ((text: string, before: string) => string)[] = [
  (text) => text,
  (text) => encodeURIComponent(text),
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => [...Buffer.from(text)].map(hexByte).join(""),
  (text) =>
    [...text].map((unit, index) => (index % 2 ? unit : hexByte(unit.charCodeAt(0)).toUpperCase())).join(""),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  (text, before) => Buffer.from(before + text).toString("base64"),
  (text, before) => Buffer.from(before + text).toString("base64url"),
  (text, before) => encodeURIComponent(Buffer.from(`${before}${text}${before}`).toString("base64")),
  (text, before) => inLines(Buffer.from(`${before}${text}${before}`).toString("base64"), 76),
  (text, before) => inLines(Buffer.from(`${before}${text}${before}`).toString("base64"), 8),
  (text) => [...text].map((unit) => `&#${unit.charCodeAt(0)};`).join(""),
  (text) => text.replace(/[&<>"']/g, (sign) => `&#x${sign.charCodeAt(0).toString(16)};`),
  (text) => Buffer.from(text, "utf16le").toString("latin1"),
  (text) => [...text].map((unit) => `\\x${hexByte(unit.charCodeAt(0)).slice(1)}`).join(""),
  (text) => [...text].map((unit) => `\\${unit.charCodeAt(0).toString(8).padStart(3, "0")}`).join(""),
  (text) => [...text].map((unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`).join(""),
  (text) => [...text].map((unit) => hexByte(unit.charCodeAt(0)).toUpperCase().replace("%", "=")).join(""),
  (text) => (text.match(/.{1,7}/g) ?? []).map((line) => line.replaceAll("=", "=3D")).join("=\r\n"),
  (text) => `[${[...Buffer.from(text)].join(", ")}]`,
  (text) => `<${[...Buffer.from(text)].map((byte) => hexByte(byte).slice(1)).join(" ")}>`,
];

function inLines(text: string, width: number): string {
  return text.replace(new RegExp(`.{${width}}`, "g"), "$&\r\n");
}

/** What lists of numbers in a text say, read with this base. */
function listed(text: string, number: RegExp, base: number): string {
  return String.fromCharCode(
    ...(text.match(number) ?? []).map((digits) => Number.parseInt(digits, base) % 256),
  );
}

/** Every way back from an encoding that a reader of a ledger could try. */
function readings(text: string): string[] {
  const found = [text];
  for (let round = 0; round < 3; round += 1) {
    const last = found.at(-1) ?? "";
    found.push(last.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
  }
  found.push(text.replace(/\\u([0-9a-f]{4})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
  found.push(text.replace(/\\(["\\/])/g, "$1"));
  found.push(text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))));
  found.push(text.replace(/&#x([0-9a-f]+);/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16))));
  found.push(text.replace(/\\x([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))));
  found.push(
    text.replace(/\\([0-3][0-7]{2})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
  );
  found.push(
    text.replace(/\\u\{([0-9a-f]+)\}/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16) % 65536)),
  );
  found.push(
    text
      .replace(/=(?:\r\n|\\r\\n)/g, "")
      .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
  );
  found.push(listed(text, /\b\d{2,3}\b/g, 10), listed(text, /\b[0-9a-f]{2}\b/gi, 16));
  found.push(text.replaceAll("\0", ""), text.replaceAll("\\u0000", ""));
  const joined = text.replace(/\r\n|\\r\\n/g, "");
  for (const run of joined.match(/[A-Za-z0-9+/_-]{6,}/g) ?? []) {
    for (const skip of [0, 1, 2, 3]) found.push(Buffer.from(run.slice(skip), "base64").toString("latin1"));
  }
  for (const run of decodeURIComponent(
    text.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/%[89a-f]./gi, ""),
  ).match(/[A-Za-z0-9+/_-]{6,}/g) ?? []) {
    for (const skip of [0, 1, 2, 3]) found.push(Buffer.from(run.slice(skip), "base64").toString("latin1"));
  }
  return found;
}

test("a key never survives", () => {
  fc.assert(
    fc.property(
      key,
      fc.constantFrom(...encoders),
      fc.string({ maxLength: 5 }),
      fc.constantFrom(
        "",
        "Bearer ",
        "Authorization: ",
        "sk-abcdefghijklmnopqr-",
        "x=",
        "https://host/?key=",
        "/tmp/",
      ),
      fc.constantFrom("", " ", "/", "\n", "&y=1", '"', "0123456789"),
      (secret, encode, inside, before, after) => {
        const redactor = createRedactor({ DECISION_BENCH_API_KEY: secret }, PATHS);
        // In quoted-printable everything is.
        const ahead = encode("=", "") === "=3D" ? before.replaceAll("=", "=3D") : before;
        const text = `${ahead}${encode(secret, inside)}${after}`;
        const outputs = [
          redactor.text(text),
          JSON.stringify(redactor.value([{ [text]: text, nested: { list: [text] } }])),
        ];
        for (const output of outputs) {
          for (const reading of readings(output)) expect(reading).not.toContain(secret);
        }
      },
    ),
    { numRuns: 1500 },
  );
});

test("masking twice is masking once", () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      "marked-key-0001",
      "https://api.marked.example/v1",
      "api.marked.example",
      "/home/marked-person/x",
      "Bearer abcdefgh12345",
      "sk-abcdefghijklmnopqrst",
      "api_key=",
      '"api_key": "',
      '"id": "',
      "Cookie: a=1; ",
      "Authorization: Basic ",
      "%6d",
      "[redacted]",
      '\\"',
      "\ud800",
      Buffer.from("marked-key-0001").toString("base64"),
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const redactor = createRedactor(
    { DECISION_BENCH_API_KEY: "marked-key-0001", DECISION_BENCH_BASE_URL: "https://api.marked.example/v1" },
    PATHS,
  );
  const text = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (made) => {
      const once = redactor.text(made);
      expect(once.isWellFormed()).toBe(true);
      expect(redactor.text(once)).toBe(once);
    }),
    { numRuns: 3000 },
  );
  const data = fc.jsonValue({ maxDepth: 3, stringUnit: "binary" });
  fc.assert(
    fc.property(fc.tuple(data, text, text), ([value, name, item]) => {
      const once = redactor.value({ value, [name]: item, id: item, api_key: item });
      expect(redactor.value(once)).toEqual(once);
    }),
    { numRuns: 500 },
  );
});

// config/models.json with something wrong in it: every entry that is accepted keeps the rules, restated here.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { inspectModels } from "../../src/models/registry.ts";
import { packageRoot } from "../../src/workspace.ts";
import { makeWorkspace } from "../support/corpus.ts";
import { FILES, KEYS, VALUES } from "./documents.ts";
import { beginning, fuzz, product, said, type Verdict } from "./fuzz.ts";
import { documentLike } from "./mutations.ts";
import {
  hasMembers,
  isAmount,
  isFlag,
  isFullText,
  isObject,
  isOneOf,
  isText,
  jsonOf,
  maybe,
  own,
  type Plain,
  same,
  textOf,
} from "./opinions.ts";

const isWhole = (value: unknown): boolean => Number.isSafeInteger(value);
const effort = { reasoning_effort: maybe(isFullText) };
/** The only keys of `request`, by provider. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  "openai-compatible": {
    response_format: maybe(isOneOf("json_schema", "json_object", "prompt")),
    token_limit_field: maybe(isOneOf("max_tokens", "max_completion_tokens")),
    max_output_tokens: maybe((value) => isWhole(value) && (value as number) > 0),
    ...effort,
    temperature: maybe((value) => isAmount(value) && (value as number) <= 2),
    json_wrapper_policy: maybe(isOneOf("allow_single_code_fence", "strict")),
  },
  "claude-cli": effort,
  "codex-cli": effort,
  typesafe: {},
  laya: {},
  baseline: { method: isOneOf("uniform", "lexical"), seed: maybe(isWhole) },
};

const isPricing = hasMembers({
  input_per_mtok: isAmount,
  output_per_mtok: isAmount,
  cached_input_per_mtok: maybe(isAmount),
  source_url: isText,
  as_of: isText,
  note: maybe(isText),
});

const hasFields = hasMembers({
  id: (value) => isText(value) && /^[a-z0-9][a-z0-9._-]{0,63}$/.test(value as string),
  label: isFullText,
  provider: isOneOf(...Object.keys(REQUESTS)),
  model: isFullText,
  short_label: maybe(isText),
  vendor: maybe(isText),
  color: maybe((value) => isText(value) && /^#[0-9a-fA-F]{6}$/.test(value as string)),
  pricing: maybe(isPricing),
  vision: maybe(isFlag),
  notes: maybe(isText),
});

/** Why an entry is none; null when it is one. */
function wrongIn(entry: unknown): string | null {
  if (!hasFields(entry)) return "a field";
  const provider = own(entry, "provider") as string;
  const table = REQUESTS[provider] ?? {};
  const request = own(entry, "request");
  if (provider === "baseline" && !isObject(request)) return "no request";
  if (request !== undefined && request !== null) {
    if (!hasMembers(table)(request)) return "request";
    if (Object.keys(request as Plain).some((key) => !Object.keys(table).includes(key)))
      return "a key of request";
  }
  if (
    provider === "openai-compatible" &&
    !maybe((name) => isText(name) && /^[a-z][a-z0-9_-]{0,31}$/.test(name as string))(own(entry, "endpoint"))
  )
    return "endpoint";
  return null;
}

/** Texts of an entry but for the source of its prices, keys too. */
function textsIn(value: unknown, path = ""): string[] {
  if (typeof value === "string") return path === ".pricing.source_url" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item, at) => textsIn(item, `${path}[${at}]`));
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((key) => [key, ...textsIn(own(value, key), `${path}.${key}`)]);
}

/** What nobody could take for a word: a URL, an address with its port, a key. */
const PRIVATE =
  /\w:\/\/\w|\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|\bsk-[A-Za-z0-9]{20}|\bapi\.[a-z]+\.(?:com|ai)\b/;

const KEY = `sk-${"a1B2".repeat(6)}`;
const ODD = [
  "https://llm.example.com/v1",
  "llm.example.com:8080",
  "10.0.0.7",
  "localhost",
  KEY,
  `Bearer ${KEY}`,
  "[::1]",
  "api.example.ai",
];

test("an entry is accepted when it keeps the rules, and no key and no address is", async () => {
  const made = makeWorkspace();
  onTestFinished(made.cleanup);
  const workspace = made.open();
  const config = JSON.parse(readFileSync(join(packageRoot, "config", "models.json"), "utf8")) as {
    models: Plain[];
  };
  const byProvider = Object.keys(REQUESTS).flatMap((name) =>
    config.models.filter((model) => model.provider === name).slice(0, 2),
  );
  const sound = [
    JSON.stringify({ schema_version: 1, models: byProvider }),
    ...byProvider.map((model) => JSON.stringify({ schema_version: 1, models: [model] })),
  ];
  const chat = JSON.stringify(byProvider.find((model) => model.provider === "openai-compatible"));
  const inserted = (member: string): Buffer =>
    Buffer.from(`{"schema_version":1,"models":[${chat.slice(0, -1)},${member}}]}`);
  await fuzz<Buffer>({
    name: "models.json",
    documents: [
      ...FILES.map(({ make }) => make()),
      ...VALUES.map((value) => inserted(`"more":${value}`)),
      ...VALUES.map((value) =>
        Buffer.from(
          `{"schema_version":1,"models":[{"id":"a","label":${value},"provider":"laya","model":"m"}]}`,
        ),
      ),
      ...KEYS.map((key) => inserted(`${JSON.stringify(key)}:{"polluted":1}`)),
      ...ODD.flatMap((text) => [
        inserted(`"more":${JSON.stringify(text)}`),
        inserted(`"more":{"deep":[${JSON.stringify(`x ${text} y`)}]}`),
        inserted(`${JSON.stringify(text)}:1`),
        Buffer.from(JSON.stringify({ schema_version: 1, models: [], more: text })),
      ]),
    ],
    generated: documentLike(sound),
    short: 100,
    long: 5000,
    describe: (bytes) => beginning(bytes, 4000),
    async run(bytes): Promise<Verdict> {
      writeFileSync(workspace.modelsFile, bytes);
      const { models, findings } = await product(() => inspectModels(workspace));
      for (const { message, field } of findings) {
        if (message.includes(KEY) || field.includes(KEY)) throw new Error("repeats a key");
      }
      const text = textOf(bytes);
      const document = text === null ? undefined : jsonOf(text)?.value;
      const entries = own(document, "models");
      const list = Array.isArray(entries) ? entries : [];
      const sound = isObject(document) && own(document, "schema_version") === 1 && Array.isArray(entries);
      if (!sound && (models.length > 0 || findings.length === 0))
        throw new Error("accepted what is no such file");
      const ids = models.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const model of models) {
        const entry = list.find((one) => own(one, "id") === model.id);
        const wrong = wrongIn(entry);
        if (wrong !== null) throw new Error(`accepted ${model.id}: ${wrong}`);
        const hit = textsIn(entry).find((one) => PRIVATE.test(one));
        if (hit !== undefined) throw new Error(`accepted ${beginning(hit, 200)}`);
        if (Object.getPrototypeOf(model) !== Object.prototype)
          throw new Error("an entry has another prototype");
        // A member of that name says nothing, and is left out.
        const named = (value: unknown): unknown =>
          JSON.parse(JSON.stringify(value), (key, item) => (key === "__proto__" ? undefined : item));
        if (!same(named(model), named(entry))) throw new Error("read another entry");
      }
      // An entry that keeps the rules is refused only for what looks like a key or an address.
      if (sound && findings.length > 0) {
        const other = findings.some(({ message }) => !/address|credential|key|user name/.test(message));
        const wrong = list.some((entry) => wrongIn(entry) !== null);
        const twice = new Set(list.map((entry) => own(entry, "id"))).size < list.length;
        const device = list.some((entry) =>
          /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/.test(String(own(entry, "id"))),
        );
        if (other && !wrong && !twice && !device)
          throw new Error(`refused ${findings.map(({ field, message }) => `${field} ${message}`)}`);
      }
      if (findings.length === 0) return "accepted";
      return said(findings.map(({ field, message }) => `${field}: ${message}`));
    },
  });
});

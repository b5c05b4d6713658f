// Decides every computed row once more from nothing but what a model sees, by code written apart from the build:
// the state and the instruction are enough, and the recorded answer is the one that follows.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { CATEGORIES } from "../../../src/corpus/build/categories.ts";
import { DESIGN_RULES } from "./design-rules.ts";
import { ledgerMatch } from "./ledger-rule.ts";
import { installed } from "./range-rule.ts";
import { DATA_RULES } from "./redecided/data.ts";
import { DOCUMENT_RULES } from "./redecided/documents.ts";
import { SUPPORT_RULES } from "./support-rules.ts";
import { termEnd } from "./term-rule.ts";
import { toolVerdict } from "./tool-call-rule.ts";

interface Row {
  id: string;
  task: string;
  // biome-ignore lint/suspicious/noExplicitAny: the states of twelve tasks, read as a stranger would
  state: any;
  source: { record_id: string; original_label: string };
  questions: [{ gold: string; options: Record<string, string> }];
}

const data = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../data/${path}`, import.meta.url)), "utf8");
const parseLines = <T>(text: string): T[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
const rows = parseLines<Row>(data("corpus/bench-v4/cases.jsonl"));

/** A version as one number: "15.4" → 15004. */
const number = (version: string): number => {
  const [major = "0", minor = "0"] = version.split(".");
  return Number(major) * 1000 + Number(minor);
};

function blockingBrowser({ browsers }: Row["state"]): string {
  const failing = [];
  for (const { browser, target_version: target, history } of browsers) {
    let works = false;
    for (const { added, removed, ...limits } of history) {
      if (!/^\d/.test(added) || Object.keys(limits).length > 0) continue;
      if (number(added) <= number(target) && !(removed && number(removed) <= number(target))) works = true;
    }
    if (!works) failing.push(browser);
  }
  return failing.length === 0 ? "none-blocks" : failing.join("+");
}

function cheapestModel({ request: r, models }: Row["state"]): string {
  const prices: [number, string][] = [];
  for (const m of models) {
    if (r.input_tokens + r.output_tokens > m.context_tokens || r.output_tokens > m.max_output_tokens)
      continue;
    if ((r.has_image && !m.accepts.includes("image")) || (r.needs_tools && !m.tool_calling)) continue;
    const micro = r.input_tokens * m.usd_per_million_input + r.output_tokens * m.usd_per_million_output;
    prices.push([micro, m.model]);
  }
  return prices.sort((a, b) => a[0] - b[0])[0]?.[1] ?? "";
}

function impersonation(state: Row["state"]): string {
  const same = state.queue.filter((entry: { text: string; code_points: string }) => {
    const points = entry.code_points.split(" ");
    expect(String.fromCodePoint(...points.map((p) => Number.parseInt(p.slice(2), 16)))).toBe(entry.text);
    const read = points.map(
      (p) => state.lookalikes[p] ?? String.fromCodePoint(Number.parseInt(p.slice(2), 16)),
    );
    return read.join("") === state.protected_handle && entry.text !== state.protected_handle;
  });
  return same.length === 0 ? "none" : same.map((entry: { handle: string }) => entry.handle).join("+");
}

function staffedDesk(state: Row["state"], original: string): string {
  const offsets = original.split("; ").map((part) => Number(/ (-?\d+) min$/.exec(part)?.[1]));
  const open = state.desks.filter((desk: { opens: string; closes: string }, i: number) => {
    const local = new Date(Date.parse(state.ticket_at_utc) + (offsets[i] ?? 0) * 60_000);
    const time = local.toISOString().slice(11, 16);
    return ![0, 6].includes(local.getUTCDay()) && time >= desk.opens && time < desk.closes;
  });
  return open.length === 0 ? "none-open" : open.map((desk: { desk: string }) => desk.desk).join("+");
}

function invoiceTax(state: Row["state"]): string {
  const { buyer, seller_country: seller, date_of_supply: day } = state;
  if (!buyer.in_eu) return "0% outside the EU";
  const confirmed = buyer.kind === "business" && buyer.vat_number === "confirmed";
  if (buyer.country !== seller && confirmed) return "0% reverse charge";
  const rates = state.rate_table.filter(
    (r: { country: string; from: string | null; until: string | null }) =>
      r.country === buyer.country && (r.from ?? "0") <= day && day < (r.until ?? "9"),
  );
  expect(rates).toHaveLength(1);
  return `${rates[0].rate_percent}% ${buyer.country}`;
}

function accountCheck(state: Row["state"]): string {
  const iban: string = state.iban.replaceAll(" ", "");
  const entry = state.registry_entry;
  expect(iban.slice(0, 2)).toBe(entry.country);
  if (state.payment === "SEPA credit transfer" && !entry.in_sepa) return "scheme";
  if (iban.length !== entry.characters) return "length";
  const classes: Record<string, string> = {
    digits: "[0-9]",
    digit: "[0-9]",
    letters: "[A-Z]",
    letter: "[A-Z]",
    "letter or digit": "[0-9A-Z]",
    "letters or digits": "[0-9A-Z]",
  };
  const pattern = entry.account_part
    .split(", then ")
    .map((part: string) => `${classes[part.replace(/^\d+ /, "")]}{${Number.parseInt(part, 10)}}`)
    .join("");
  if (!new RegExp(`^[A-Z]{2}[0-9]{2}${pattern}$`).test(iban)) return "structure";
  const digits = [...(iban.slice(4) + iban.slice(0, 4))].map((c) => Number.parseInt(c, 36)).join("");
  return BigInt(digits) % 97n === 1n ? "accept" : "check-digits";
}

const spdx = new Set(parseLines<{ id: string }>(data("sources/spdx-licenses.jsonl")).map(({ id }) => id));

/** Tries every subset of the names as the chosen ones, by truth values instead of alternatives. */
function licenseGate({ expression, allow_list: allowed }: Row["state"]): string {
  const names: string[] = expression.match(/[^\s()]+/g).filter((t: string) => t !== "AND" && t !== "OR");
  if (names.some((name) => !spdx.has(name))) return "unknown-identifier";
  const satisfied = (held: (name: string) => boolean): boolean => {
    const tokens: string[] = expression.match(/[()]|[^\s()]+/g);
    const unit = (): boolean => {
      const token = tokens.shift() ?? "";
      if (token !== "(") return held(token);
      const inner = any();
      tokens.shift();
      return inner;
    };
    const all = (): boolean => {
      let value = unit();
      while (tokens[0] === "AND") {
        tokens.shift();
        value = unit() && value;
      }
      return value;
    };
    const any = (): boolean => {
      let value = all();
      while (tokens[0] === "OR") {
        tokens.shift();
        value = all() || value;
      }
      return value;
    };
    return any();
  };
  if (!satisfied((name) => allowed.includes(name))) return "fail";
  // Every way is allowed exactly if no satisfying choice remains once any one name that is not listed is insisted on.
  const minimal = names.filter((name) => !allowed.includes(name)).some((name) => neededInSomeWay(name));
  return minimal ? "pass-with-choice" : "pass";

  function neededInSomeWay(name: string): boolean {
    const others = [...new Set(names)].filter((other) => other !== name);
    for (let mask = 0; mask < 2 ** others.length; mask += 1) {
      const held = new Set(others.filter((_, bit) => Math.floor(mask / 2 ** bit) % 2 === 1));
      if (!satisfied((n) => held.has(n)) && satisfied((n) => held.has(n) || n === name)) return true;
    }
    return false;
  }
}

function shipDecision(state: Row["state"]): string {
  const releases = Object.values(state.first_release) as ({ date: string } | null)[];
  expect(releases).toHaveLength(7);
  if (releases.some((release) => release === null || release.date > state.decision_date)) return "limited";
  const last = new Date(Math.max(...releases.map((release) => Date.parse(release?.date ?? ""))));
  last.setUTCMonth(last.getUTCMonth() + 30);
  return Date.parse(state.decision_date) < last.getTime() ? "newly-available" : "widely-available";
}

const columns: Record<string, ReadonlySet<string>> = (() => {
  const read = (file: string) => parseLines<{ id: string; number: string }>(data(`sources/${file}.jsonl`));
  const set = (values: string[]): ReadonlySet<string> => new Set(values);
  return {
    "currency-code": set(read("iso-4217").map((r) => r.id)),
    "currency-number": set(read("iso-4217").map((r) => r.number)),
    "country-code": set(read("iso-3166").map((r) => r.id)),
    "country-number": set(read("iso-3166").map((r) => r.number)),
    "language-code": set(read("iso-639-2").map((r) => r.id.toUpperCase())),
    sqlstate: set(read("sqlstates").map((r) => r.id)),
    "industry-code": set(read("naics-2017").map((r) => r.id)),
    "zip-code": set(read("us-zips").map((r) => r.id)),
  };
})();

function columnType({ values }: Row["state"]): string {
  const fitting = Object.entries(columns).filter(([, list]) => values.every((v: string) => list.has(v)));
  return fitting.map(([name]) => name).join("+");
}

const RULES: Readonly<Record<string, (state: Row["state"], original: string) => string>> = {
  "ENG-1": installed,
  "ENG-5": blockingBrowser,
  "AGT-2": cheapestModel,
  "AGT-5": toolVerdict,
  "TNS-5": impersonation,
  "SUP-5": staffedDesk,
  "SAL-5": invoiceTax,
  "FIN-2": accountCheck,
  "FIN-3": ledgerMatch,
  "LEG-2": licenseGate,
  "LEG-5": termEnd,
  "PRD-1": shipDecision,
  "DAT-3": columnType,
  ...DATA_RULES,
  ...DOCUMENT_RULES,
  ...DESIGN_RULES,
  ...SUPPORT_RULES,
};

describe("the answer of every computed row follows from its state", () => {
  const computed = CATEGORIES.flatMap(({ tasks }) => tasks).filter((t) => t.labelOrigin === "computed");
  test.each(computed.map((task) => task.id))("%s", (id) => {
    const rule = RULES[id];
    if (rule === undefined) throw new Error(`${id} has no rule here`);
    for (const row of rows.filter(({ task }) => task === id)) {
      const answer = rule(row.state, row.source.original_label);
      expect(answer, row.id).toBe(row.questions[0].gold);
      expect(Object.hasOwn(row.questions[0].options, answer), row.id).toBe(true);
    }
  });
});

test.each([
  ["SUP-5", (state: Row["state"]) => [state.ticket_at_utc], (state: Row["state"]) => state.desks],
  [
    "DOC-7",
    (state: Row["state"]) => state.slots.map((slot: { starts_at_utc: string }) => slot.starts_at_utc),
    (state: Row["state"]) => state.attendees,
  ],
])("the offsets behind %s are those of the facts, at a moment within ten hours", (task, times, places) => {
  const zones = new Map(
    parseLines<{ id: string; city: string; offsets: Record<string, number> }>(
      data("sources/time-zones.jsonl"),
    ).map((z) => [z.id, z]),
  );
  for (const row of rows.filter((one) => one.task === task)) {
    row.source.original_label.split("; ").forEach((part, i) => {
      const [id = "", offset] = part.split(" ");
      for (const time of times(row.state)) {
        const near = Object.entries(zones.get(id)?.offsets ?? {}).filter(
          ([moment]) => Math.abs(Date.parse(moment) - Date.parse(time)) <= 10 * 3_600_000,
        );
        expect(
          near.map(([, minutes]) => minutes),
          row.id,
        ).toEqual([Number(offset)]);
      }
      expect(zones.get(id)?.city).toBe(places(row.state)[i].city);
    });
  }
});

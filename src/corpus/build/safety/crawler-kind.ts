// What kind of automated client a name in the access log stands for.
import { z } from "zod";
import type { Candidate, Options, Task } from "../task.ts";

/** The kinds that facts are taken of, and that a row offers. */
export const KINDS = [
  "advertising",
  "feed-reader",
  "monitoring",
  "scanner",
  "search-engine",
  "social-preview",
] as const;
type Kind = (typeof KINDS)[number];

const crawlerSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(KINDS),
  token: z.string(),
  form: z.string(),
});

const OPTIONS: Options = [
  ["advertising", "Rates pages so that places on them are sold"],
  ["feed-reader", "Polls sites for what people subscribed to"],
  ["monitoring", "Measures for the owner how a site responds"],
  ["scanner", "Probes hosts for what they run and how weak"],
  ["search-engine", "Collects pages so that people can find them"],
  ["social-preview", "Fetches what a posted address is shown with"],
];

/** Tokens of products known beyond their users, of which nothing says what they do but the name. */
const WELL_KNOWN: Readonly<Record<Kind, string>> = {
  advertising:
    "Mediapartners-Google proximic moatbot CriteoBot Taboolabot outbrain TTD-Content bidswitchbot Quantcastbot Eyeotabot " +
    "cXensebot Pixalate.com Clickagy MgidBot EzoicBot weborama-fetcher",
  "feed-reader":
    "Miniflux Netvibes Fever BazQux Bloglines SimplePie Overcast PocketCasts Gwene Protopage Blogtrottr",
  monitoring:
    "PingdomTMS Zabbix Site24x7 NodePing GTmetrix PTST AppInsights RuxitSynthetic Catchpoint ThousandEyes Panopta " +
    "Chrome-Lighthouse DatadogSynthetics NewRelicSynthetics DareBoost uptrends",
  scanner:
    "zgrab Nikto sqlmap Nessus DirBuster-1.0-RC1 acunetix-product OpenVAS ZmEu CensysInspect l9explore Detectify WhatWeb watchTowr " +
    "BitSightBot Hardenize",
  "search-engine":
    "Slurp Teoma Exabot Baiduspider SeznamBot Yeti coccoc Qwantify Applebot MojeekBot PetalBot bingbot Gigabot YisouSpider " +
    "NaverBot blekkobot",
  "social-preview":
    "facebookexternalhit Twitterbot Slackbot WhatsApp TelegramBot Discordbot redditbot Embedly Iframely Viber Mastodon OdklBot " +
    "GroupMeBot KeybaseBot",
};

/** Clients whose name is that of a product which everybody knows. */
const HOUSEHOLD_NAMES: ReadonlySet<string> = new Set(
  "bingbot Baiduspider facebookexternalhit Twitterbot Slackbot WhatsApp TelegramBot Discordbot redditbot".split(
    " ",
  ),
);

/** Clients that hardly anybody knows outside their trade, or of a service that is long gone. */
const HARDLY_KNOWN: ReadonlySet<string> = new Set(
  (
    "proximic moatbot TTD-Content bidswitchbot Eyeotabot cXensebot Clickagy MgidBot weborama-fetcher BazQux Gwene Protopage " +
    "NodePing DareBoost Panopta l9explore watchTowr Hardenize Teoma Exabot YisouSpider blekkobot OdklBot Iframely"
  ).split(" "),
);

function difficultyOf(name: string): "easy" | "medium" | "hard" {
  if (HOUSEHOLD_NAMES.has(name)) return "easy";
  return HARDLY_KNOWN.has(name) ? "hard" : "medium";
}

const nameOf = (token: string): string => token.replace(/\/.*/, "").replace(/\.$/, "");

const stateSchema = z.object({ client: z.string(), rest_of_user_agent: z.string() });

export const crawlerKind: Task = {
  id: "TNS-1",
  name: "Kind of automated client",
  shape: "classify",
  ask: "What kind of automated client is this?",
  instruction:
    "A site decides which automated clients it lets in, and on what terms, by what they are for. The state gives the token by " +
    "which a client named itself in its user agent, with the version if it gave one, and what the rest of the user agent " +
    "looks like; pages and mail addresses of the operator are left out. Take the name at its word: no one poses as " +
    "somebody else here. Choose what the client bearing this name is for. A name of a company with several clients stands " +
    "for the one that uses this token.",
  modality: "text",
  options: OPTIONS,
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["crawler-user-agents"],
  rows: 30,
  perGroup: 1,
  chosen:
    "Clients with exactly one tag of six that are known beyond their users, from a list of this project; names that contain a word " +
    "for what the client does are left out, and so is the catch-all tag for search engine optimisation. Balanced over the six kinds.",
  changed:
    "The token is the source's; of the rest of the user agent only its form is told. Addresses are left out, the tag is hidden.",
  decision: {
    by: "neighbours",
    says: "What the rest of the user agent looks like, whether there is a version, and how the name is written.",
    features(state) {
      const { client, rest_of_user_agent: form } = stateSchema.parse(state);
      const name = nameOf(client);
      return {
        form,
        version: client.includes("/"),
        bot: /bot$/i.test(name),
        capitals: name.match(/[A-Z]/g)?.length ?? 0,
        length: name.length,
      };
    },
  },
  candidates(facts) {
    return facts.read("crawlers.jsonl", crawlerSchema).flatMap(({ id, kind, token, form }): Candidate[] => {
      const name = nameOf(token);
      if (!WELL_KNOWN[kind].split(" ").includes(name)) return [];
      return [
        {
          key: id,
          recordId: id,
          stratum: kind,
          group: name,
          title: "A client in the access log",
          state: { client: token, rest_of_user_agent: form },
          gold: kind,
          rationale: `The list of crawlers tags ${name} as ${kind} and as nothing else.`,
          difficulty: difficultyOf(name),
          originalLabel: kind,
        },
      ];
    });
  },
};

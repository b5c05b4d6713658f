// Facts about the web platform: which browser version shipped what (MDN), which features are Baseline
// (web-features), and which attributes a WAI-ARIA role takes (aria-query).
import { type Extraction, type Fact, sample } from "./extraction.ts";

const ENGINES = ["chrome", "edge", "firefox", "safari", "safari_ios", "samsunginternet_android"] as const;

interface Statement {
  version_added?: string | false | null;
  version_removed?: string;
  flags?: unknown;
  prefix?: string;
  alternative_name?: string;
  partial_implementation?: boolean;
}
interface Compat {
  support: Record<string, Statement | Statement[] | "mirror">;
  spec_url?: unknown;
  status?: { deprecated: boolean; experimental: boolean; standard_track: boolean };
}
interface CompatNode {
  __compat?: Compat;
}
interface Release {
  status: string;
  release_date?: string;
}

/** A version that can be compared: digits and dots. */
const isVersion = (version: unknown): version is string =>
  typeof version === "string" && /^\d+(\.\d+)*$/.test(version);

function statementFact(statement: Statement): Record<string, string | boolean> | null {
  const added = statement.version_added;
  if (added !== false && added !== "preview" && !isVersion(added)) return null;
  if (statement.version_removed !== undefined && !isVersion(statement.version_removed)) return null;
  return {
    added: added === false ? "never" : added,
    ...(statement.version_removed === undefined ? {} : { removed: statement.version_removed }),
    ...(statement.flags === undefined ? {} : { flag: true }),
    ...(statement.prefix === undefined ? {} : { prefix: statement.prefix }),
    ...(statement.alternative_name === undefined ? {} : { other_name: statement.alternative_name }),
    ...(statement.partial_implementation === true ? { partial: true } : {}),
  };
}

function featureFact(id: string, support: Record<string, Statement | Statement[] | "mirror">): Fact | null {
  const entries: [string, Record<string, string | boolean>[]][] = [];
  for (const engine of ENGINES) {
    const given = support[engine];
    if (given === undefined || given === "mirror") return null;
    const statements = [given].flat().map(statementFact);
    if (statements.some((statement) => statement === null)) return null;
    entries.push([engine, statements.filter((statement) => statement !== null)]);
  }
  // Only histories with something to read: flags, prefixes, removals, partial support or previews in two browsers.
  const irregular = entries.filter(([, statements]) =>
    statements.some((s) => Object.keys(s).length > 1 || s.added === "preview"),
  );
  return irregular.length >= 2 ? { id, support: new Map(entries) } : null;
}

/** Facts about the state of features that are kept of each combination of the three flags. */
const PER_STATUS = 60;

/** The flags of a feature's state and the first entry of three engines, where each is plain enough to be told in one line. */
function statusFact(id: string, compat: Compat): Fact | null {
  if (compat.status === undefined) return null;
  const { deprecated, experimental, standard_track: standard } = compat.status;
  if (deprecated && experimental) return null;
  const engines: [string, Record<string, string | boolean>][] = [];
  for (const engine of ["chrome", "firefox", "safari"]) {
    const given = compat.support[engine];
    if (given === undefined || given === "mirror") return null;
    const statement = statementFact([given].flat()[0] ?? {});
    if (statement === null) return null;
    engines.push([engine, statement]);
  }
  if (engines.every(([, statement]) => statement.added === "never")) return null;
  return {
    id,
    deprecated,
    experimental,
    standard,
    specified: compat.spec_url !== undefined,
    engines: Object.fromEntries(engines),
  };
}

const statusKey = (fact: Fact): string =>
  [fact.deprecated, fact.experimental, fact.standard, fact.specified].join();

/** A sample of equally many facts of every combination of flags. */
function statusSample(facts: readonly Fact[]): Fact[] {
  const keys = [...new Set(facts.map(statusKey))].sort();
  return keys.flatMap((key) =>
    sample(
      facts.filter((fact) => statusKey(fact) === key),
      PER_STATUS,
    ),
  );
}

export const browserCompat: Extraction = {
  id: "mdn-browser-compat-data",
  title: "MDN browser compatibility data",
  registry: "npm",
  package: "@mdn/browser-compat-data",
  version: "8.1.9",
  license: "CC0-1.0",
  files: ["data.json"],
  attribution: "MDN contributors, browser-compat-data (public domain dedication).",
  taken:
    "For a sample of features with irregular histories, the support statements of six browsers (versions, removals, " +
    "flag, prefix, other name, partial); the released versions of those browsers and their days; and, for a second " +
    "sample, the flags of a feature's state, whether a specification is linked, and the first statement of three " +
    "browsers. No notes, no descriptions.",
  async extract(unpacked) {
    const data = unpacked.json("data.json") as Record<string, unknown> & {
      browsers: Record<string, { releases: Record<string, Release> }>;
    };
    const features: Fact[] = [];
    const states: Fact[] = [];
    const walk = (node: CompatNode, path: string): void => {
      if (node.__compat !== undefined) {
        const fact = featureFact(path, node.__compat.support);
        if (fact !== null) features.push(fact);
        const state = statusFact(path, node.__compat);
        if (state !== null) states.push(state);
      }
      for (const [key, child] of Object.entries(node)) {
        if (key !== "__compat" && child !== null && typeof child === "object")
          walk(child as CompatNode, `${path}.${key}`);
      }
    };
    for (const root of ["api", "css", "html", "http", "javascript", "svg"]) {
      for (const [key, node] of Object.entries(data[root] as Record<string, CompatNode>))
        walk(node, `${root}.${key}`);
    }
    const browsers = ENGINES.map((id) => ({
      id,
      versions: Object.entries(data.browsers[id]?.releases ?? {})
        .filter(([version, release]) => isVersion(version) && /^(current|retired|esr)$/.test(release.status))
        .map(([version]) => version),
    }));
    const days = ["chrome", "firefox", "safari"].map((id) => ({
      id,
      released: Object.fromEntries(
        Object.entries(data.browsers[id]?.releases ?? {}).flatMap(([version, { release_date }]) =>
          release_date === undefined ? [] : [[version, release_date]],
        ),
      ),
    }));
    return {
      "mdn-features.jsonl": sample(features, 400),
      "mdn-browsers.jsonl": browsers,
      "mdn-release-days.jsonl": days,
      "mdn-states.jsonl": statusSample(states),
    };
  },
};

const CORE = [
  "chrome",
  "chrome_android",
  "edge",
  "firefox",
  "firefox_android",
  "safari",
  "safari_ios",
] as const;

export const webFeatures: Extraction = {
  id: "web-features",
  title: "Web platform features",
  registry: "npm",
  package: "web-features",
  version: "3.40.0",
  license: "Apache-2.0",
  files: ["data.json"],
  attribution: "Web Platform DX Community Group and contributors, web-features (Apache License 2.0).",
  taken:
    "For a sample of features, the name, the first version of each of the seven core browsers with its release date, " +
    "and the recorded Baseline dates. No descriptions.",
  async extract(unpacked) {
    const data = unpacked.json("data.json") as {
      browsers: Record<string, { releases: { version: string; date: string }[] }>;
      features: Record<
        string,
        {
          kind: string;
          name: string;
          discouraged?: unknown;
          status: {
            baseline: string | false;
            baseline_low_date?: string;
            baseline_high_date?: string;
            support: Record<string, string>;
          };
        }
      >;
    };
    const facts: Fact[] = [];
    for (const [id, feature] of Object.entries(data.features)) {
      if (feature.kind !== "feature" || feature.discouraged !== undefined) continue;
      const support = CORE.map((browser) => {
        const version = feature.status.support[browser];
        const release = data.browsers[browser]?.releases.find((r) => r.version === version);
        return [browser, version, release?.date] as const;
      });
      if (support.some(([, version, date]) => version !== undefined && date === undefined)) continue;
      facts.push({
        id,
        name: feature.name,
        support: new Map(
          support.flatMap(([browser, version, date]) =>
            version === undefined || date === undefined ? [] : [[browser, { version, date }]],
          ),
        ),
        baseline_low: feature.status.baseline_low_date ?? null,
        baseline_high: feature.status.baseline_high_date ?? null,
      });
    }
    return { "web-features.jsonl": sample(facts, 450) };
  },
};

interface Role {
  abstract: boolean;
  props: Record<string, unknown>;
  requiredProps: Record<string, unknown>;
  prohibitedProps: string[];
  superClass: string[][];
}

export const ariaRoles: Extraction = {
  id: "aria-query",
  title: "WAI-ARIA roles and attributes",
  registry: "npm",
  package: "aria-query",
  version: "5.3.2",
  license: "Apache-2.0",
  files: ["lib/index.js"],
  attribution: "A11yance, aria-query (Apache License 2.0).",
  taken:
    "For each concrete role of the core specification, its superclasses and the names of the attributes that it " +
    "takes or requires beyond the global ones; and the value type of each attribute.",
  async extract(unpacked) {
    const module = (await unpacked.load()) as {
      roles: Map<string, Role>;
      aria: Map<string, { type: string }>;
    };
    const globals = new Set(Object.keys(module.roles.get("roletype")?.props ?? {}));
    const attributes = [...module.aria.entries()].filter(([name]) => !globals.has(name));
    const roles = [...module.roles.entries()]
      .filter(([name, role]) => !role.abstract && !/^(doc|graphics)-/.test(name))
      .map(([id, role]) => ({
        id,
        superclasses: [...new Set(role.superClass.flatMap((path) => path.slice(-1)))],
        attributes: Object.keys(role.props)
          .filter((name) => !globals.has(name) && !role.prohibitedProps.includes(name))
          .sort(),
        required: Object.keys(role.requiredProps).sort(),
      }));
    return {
      "aria-roles.jsonl": roles,
      "aria-attributes.jsonl": attributes.map(([id, { type }]) => ({ id, type })),
    };
  },
};

// Which sector of the industry classification an account belongs to, from the title of its industry.
import { z } from "zod";
import type { Candidate, Task } from "../task.ts";

const industrySchema = z.strictObject({ id: z.string(), title: z.string().optional() });

const SECTORS = [
  ["transport", ["48", "49"], "Transportation and Warehousing (48-49)"],
  ["information", ["51"], "Information (51)"],
  ["finance", ["52"], "Finance and Insurance (52)"],
  ["professional", ["54"], "Professional, Scientific, and Technical Services (54)"],
  ["administrative", ["56"], "Administrative and Support and Waste Services (56)"],
  ["other-services", ["81"], "Other Services: repair, personal care, associations (81)"],
] as const;

/** Sectors whose industries nearly all say by their title where they belong. */
const EASY: ReadonlySet<string> = new Set(["transport", "finance"]);

/** Words of titles that name a sector, or that say nothing ("all other"). */
const TELLING =
  /transport|warehous|truck|information|financ|insur|professional|scien|technical|administrat|office|support|waste|repair|personal|association|organization|other services|^(all )?other /i;

const stateSchema = z.looseObject({ account: z.looseObject({ main_activity: z.string() }) });

/** What each sector is known for, in the words that titles use; the first that fits is taken. */
const KNOWN_FOR: readonly (readonly [label: string, words: RegExp])[] = [
  [
    "finance",
    /bank|credit (union|card)|loan|lending|mortgage|securit(y|ies) (broker|exchange)|invest(ment|ing)|funds?\b|trust|pension|commodit|reinsur|carriers|claims/i,
  ],
  [
    "administrative",
    /employment|staffing|travel|tour |janitor|landscap|collection|call center|bureau|cleaning|packag|convention|pest|remediation|septic|guard|locksmith|armored|document|telemarket|reservation|facilities/i,
  ],
  [
    "professional",
    /legal|law|notar|account|tax|payroll|architect|engineer|design|consult|research|advertis|veterinar|photograph|survey|testing|marketing|programming|translat|public relations|mapping|drafting|inspection/i,
  ],
  [
    "information",
    /publish|broadcast|telecom|radio|television|motion|video|sound|music|data|internet|librar|software|film|record|wireless|news|cable|satellite/i,
  ],
  [
    "other-services",
    /salon|barber|funeral|laundr|church|religious|parking|pet |wash|cemeter|maintenance|household|beauty|union|political|civic|social|grantmak|dry|nail|diet|advocacy|giving|rights/i,
  ],
  [
    "transport",
    /air|rail|freight|port|marine|water|\bbus|taxi|pipeline|courier|postal|cargo|navigation|towing|charter|limousine|storage|sightseeing|packing/i,
  ],
];

function decide(state: unknown): string | null {
  const title = stateSchema.parse(state).account.main_activity;
  return KNOWN_FOR.find(([, words]) => words.test(title))?.[0] ?? null;
}

export const industrySector: Task = {
  id: "SAL-3",
  name: "Industry sector of an account",
  shape: "classify",
  ask: "Which industry sector does this account belong to?",
  instruction:
    "A sales team files a new account by its main activity, under the sectors of the North American Industry " +
    "Classification System of 2017. The state gives the title of the account's national industry. Choose the sector in " +
    "which the classification puts this industry.",
  modality: "text",
  options: SECTORS.map(([label, , name]) => [label, name]),
  listed: false,
  labelOrigin: "recorded",
  contamination: "medium",
  sources: ["naics"],
  rows: 24,
  perGroup: 1,
  chosen:
    "National industries of six sectors that are easily taken for each other, without titles that share a telling word " +
    "with a sector's name and without catch-all titles. At most one row per industry group (first four digits), " +
    "balanced over the six sectors.",
  changed:
    "The title stands as it is, without the stray mark that ends it in the source; the code is hidden.",
  decision: {
    by: "rule",
    says: "A rule of thumb, written with the rows in view: words that each sector is known for; the label itself is recorded.",
    decide,
  },
  candidates(facts) {
    return facts.read("naics-2017.jsonl", industrySchema).flatMap((industry): Candidate[] => {
      const { title } = industry;
      const sector = SECTORS.find(([, prefixes]) => prefixes.some((p) => industry.id.startsWith(p)));
      if (title === undefined || sector === undefined || TELLING.test(title)) return [];
      return [
        {
          key: industry.id,
          recordId: industry.id,
          stratum: sector[0],
          group: industry.id.slice(0, 4),
          title: `Account: ${title}`,
          state: { account: { main_activity: title } },
          gold: sector[0],
          rationale: `The industry has the code ${industry.id}, which belongs to ${sector[2]}.`,
          difficulty: EASY.has(sector[0]) ? "easy" : "medium",
          originalLabel: industry.id,
        },
      ];
    });
  },
};

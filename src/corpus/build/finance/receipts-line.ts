// Which line of the budget's receipts an account rolls up to.
import { z } from "zod";
import { CheckError } from "../../../errors.ts";
import type { Candidate, Features, Options, Task } from "../task.ts";

const accountSchema = z.strictObject({
  id: z.string(),
  agency: z.string(),
  bureau: z.string(),
  account: z.string(),
  on_budget: z.boolean(),
  receipts: z.record(z.string(), z.number()),
  line: z.string(),
});

const LINES: Options = [
  ["payroll", "Levies on wages for old age, disability, hospital and railroad cover"],
  ["excise-general", "Levies on products or activities that stay outside all trusts"],
  ["excise-dedicated", "Levies on products or activities that statutes put into trusts"],
  ["staff-pensions", "What public servants and judges pay in towards their own pensions"],
  ["miscellaneous", "Whatever the other four lines leave: charges, penalties, earnings"],
];

const LABELS: Readonly<Record<string, string>> = {
  "Employment Taxes and Contributions": "payroll",
  "Federal Fund Excise Taxes": "excise-general",
  "Trust Fund Excise Taxes": "excise-dedicated",
  "Other Retirement Contributions": "staff-pensions",
  "Misc. Governmental Receipts": "miscellaneous",
};

/** Names that say the line, or that say no more than that it is a rest. */
const TELLING = /excise|exise|not otherwise classified|miscellaneous|governmental rec/i;

/** Charges on whole trades that the budget files as miscellaneous though they are much like excise. */
const BETWEEN =
  /assessment|universal service|support fees|fish|reinsurance|risk adjustment|reclamation|housing program/i;

const stateSchema = z.looseObject({
  agency: z.string(),
  account: z.string(),
  on_budget: z.boolean(),
});

function comparable(state: unknown): Features {
  const { agency, account, on_budget } = stateSchema.parse(state);
  return { agency, on_budget, words: account.toLowerCase().match(/[a-z]{3,}/g) ?? [] };
}

export const receiptsLine: Task = {
  id: "FIN-5",
  name: "Receipts line of an account",
  shape: "classify",
  ask: "Which receipts line does this account roll up to?",
  instruction:
    "An analyst of the United States budget rolls receipts accounts up to lines. The state gives agency, bureau, name of " +
    "the account, whether it is on the budget, and its receipts in thousands of dollars (negative: refunds and " +
    "transfers out). payroll holds what is levied on wages and self-employment for social security (FOASI and FDI: old " +
    "age, survivors, disability), hospital insurance (FHI) and the railroad workers' pension funds, with refunds and " +
    "transfers between them. Levies on products, services and certain businesses, fees on whole industries included, " +
    "are excise: excise-dedicated if they are deposited in a trust fund, excise-general if they stay in the general " +
    "fund, go to a fund that is no trust fund, or come back from a trust fund. staff-pensions holds deductions from the " +
    "pay of public servants and judges and their deposits, for their own retirement or survivors. miscellaneous holds " +
    "fees for services and permits, fines, penalties, forfeitures, earnings and all else. Choose the line.",
  modality: "text",
  options: LINES,
  listed: false,
  labelOrigin: "recorded",
  contamination: "low",
  sources: ["us-budget-receipts"],
  rows: 25,
  perGroup: 1,
  chosen:
    "Accounts of five lines that are easily taken for each other and that moved money in at least one of five years, " +
    "without those whose name says the line and without charges on whole trades that are filed as miscellaneous. One row per account name, balanced over the five lines.",
  changed: "The line is hidden; of 54 years five are shown, in thousands of dollars as in the source.",
  decision: {
    by: "neighbours",
    says: "The agency, whether the account is on the budget, and the words of its name.",
    features: comparable,
  },
  candidates(facts) {
    return facts.read("us-budget-receipts.jsonl", accountSchema).flatMap((account): Candidate[] => {
      const gold = LABELS[account.line];
      if (gold === undefined) throw new CheckError(`FIN-5: the line ${account.line} has no label`);
      if (TELLING.test(`${account.account} ${account.bureau === account.agency ? "" : account.bureau}`))
        return [];
      if (account.bureau.includes("Retirement Contributions") || BETWEEN.test(account.account)) return [];
      if (Object.values(account.receipts).every((sum) => sum === 0)) return [];
      return [
        {
          key: account.id,
          recordId: account.id,
          stratum: gold,
          group: account.account.toLowerCase(),
          title: `Account of ${account.agency}`,
          state: {
            agency: account.agency,
            bureau: account.bureau,
            account: account.account,
            on_budget: account.on_budget,
            receipts_thousand_dollars: account.receipts,
          },
          gold,
          rationale: `The budget records the account under "${account.line}".`,
          difficulty: gold.startsWith("excise") ? "hard" : "medium",
          originalLabel: account.line,
        },
      ];
    });
  },
};

// Finance: checks on payments and accounts.
import { accountCheck } from "./finance/account-check.ts";
import { employmentSector } from "./finance/employment-sector.ts";
import { ledgerMatch } from "./finance/ledger-match.ts";
import { receiptsLine } from "./finance/receipts-line.ts";
import type { Category } from "./task.ts";

export const finance: Category = {
  id: "finance",
  name: "Finance",
  description: "Checks on payments, accounts and figures.",
  tasks: [accountCheck, employmentSector, receiptsLine, ledgerMatch],
};

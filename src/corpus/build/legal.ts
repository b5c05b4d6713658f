// Legal: decisions about licences and terms.
import { licenseGate } from "./legal/license-gate.ts";
import { termEnd } from "./legal/term-end.ts";
import type { Category } from "./task.ts";

export const legal: Category = {
  id: "legal",
  name: "Legal",
  description: "Decisions about licences, terms and dates.",
  tasks: [licenseGate, termEnd],
};

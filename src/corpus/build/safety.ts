// Trust & safety: decisions about accounts, messages and visitors.
import { crawlerKind } from "./safety/crawler-kind.ts";
import { impersonation } from "./safety/impersonation.ts";
import { mailSorting } from "./safety/mail-sorting.ts";
import type { Category } from "./task.ts";

export const safety: Category = {
  id: "safety",
  name: "Trust & safety",
  description: "Decisions about accounts, messages and visitors.",
  tasks: [impersonation, mailSorting, crawlerKind],
};

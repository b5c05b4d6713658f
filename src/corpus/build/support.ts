// Customer support: decisions about who takes a request, and when.
import { callerLanguage } from "./support/caller-language.ts";
import { phoneLine } from "./support/phone-line.ts";
import { releaseSupport } from "./support/release-support.ts";
import { staffedDesk } from "./support/staffed-desk.ts";
import type { Category } from "./task.ts";

export const support: Category = {
  id: "support",
  name: "Customer support",
  description: "Decisions about who takes a request, and when.",
  tasks: [staffedDesk, releaseSupport, phoneLine, callerLanguage],
};

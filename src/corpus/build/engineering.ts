// Engineering: decisions about platforms and releases.
import { blockingBrowser } from "./engineering/blocking-browser.ts";
import { installedVersion } from "./engineering/installed-version.ts";
import type { Category } from "./task.ts";

export const engineering: Category = {
  id: "engineering",
  name: "Engineering",
  description: "Decisions about platforms, versions and releases.",
  tasks: [blockingBrowser, installedVersion],
};

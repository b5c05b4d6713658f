// Design: decisions about what people see and how assistive technology reads it.
import { ariaAttribute } from "./design/aria-attribute.ts";
import { iconSearch } from "./design/icon-search.ts";
import { swatchName } from "./design/swatch-name.ts";
import { textContrast } from "./design/text-contrast.ts";
import { typefaceKind } from "./design/typeface-kind.ts";
import type { Category } from "./task.ts";

export const design: Category = {
  id: "design",
  name: "Design",
  description: "Decisions about interfaces, colours and accessibility.",
  tasks: [textContrast, swatchName, typefaceKind, ariaAttribute, iconSearch],
};

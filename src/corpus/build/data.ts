// Data & analytics: decisions about columns and records.
import { columnType } from "./data/column-type.ts";
import { holidayWeekday } from "./data/holiday-weekday.ts";
import { markedPoint } from "./data/marked-point.ts";
import { quakeReview } from "./data/quake-review.ts";
import { strikeDamage } from "./data/strike-damage.ts";
import type { Category } from "./task.ts";

export const data: Category = {
  id: "data",
  name: "Data & analytics",
  description: "Decisions about columns, records and series.",
  tasks: [columnType, holidayWeekday, strikeDamage, quakeReview, markedPoint],
};

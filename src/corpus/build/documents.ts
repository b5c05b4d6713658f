// Documents & meetings: decisions about forms, letters, dates and appointments.
import { digitBox } from "./documents/digit-box.ts";
import { formLanguage } from "./documents/form-language.ts";
import { meetingSlot } from "./documents/meeting-slot.ts";
import { printedDate } from "./documents/printed-date.ts";
import type { Category } from "./task.ts";

export const documents: Category = {
  id: "documents",
  name: "Documents & meetings",
  description: "Decisions about forms, letters, dates and appointments.",
  tasks: [digitBox, printedDate, formLanguage, meetingSlot],
};

// A line of a browser's support history, as it is taken from the compatibility data.
import { z } from "zod";

/** From which version a browser has a feature, until when, and what is not as it should be; versions are texts. */
export const statementSchema = z.strictObject({
  added: z.string(),
  removed: z.string().optional(),
  flag: z.literal(true).optional(),
  prefix: z.string().optional(),
  other_name: z.string().optional(),
  partial: z.literal(true).optional(),
});
export type Statement = z.infer<typeof statementSchema>;

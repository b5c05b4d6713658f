// What a model or a suite may be called: both become the names of folders that are committed, and checked out anywhere.
import { z } from "zod";

/** Names that Windows keeps for devices, with any ending too: a folder called so cannot be checked out there. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/;

/** The name of a folder that a person gives. */
export const folderNameSchema: z.ZodString = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9._-]{0,63}$/,
    "expected 1 to 64 of a-z, 0-9, '.', '_' and '-', first a letter or digit",
  )
  .refine((name) => !DEVICE.test(name), {
    error:
      "expected a name that can be that of a folder everywhere: con, prn, aux, nul, com1, lpt1 and their like are devices on Windows",
  });

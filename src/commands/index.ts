// The commands in the order in which the help lists them. None of these files loads anything heavy before it is used.
import type { Command } from "commander";
import { compareCommand } from "./compare.ts";
import type { Context } from "./context.ts";
import { corpusCommand } from "./corpus.ts";
import { dbCommand } from "./db.ts";
import { doctorCommand } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { modelsCommand } from "./models.ts";
import { publishCommand } from "./publish.ts";
import { reportCommand } from "./report.ts";
import { runCommand } from "./run.ts";
import { runsCommand } from "./runs.ts";
import { scoreCommand } from "./score.ts";
import { showCommand } from "./show.ts";
import { sqlCommand } from "./sql.ts";
import { validateCommand } from "./validate.ts";

/** Each adds itself, with its options and its help, to the program. */
export const commands: readonly ((program: Command, context: Context) => void)[] = [
  runCommand,
  modelsCommand,
  runsCommand,
  showCommand,
  scoreCommand,
  compareCommand,
  sqlCommand,
  dbCommand,
  publishCommand,
  validateCommand,
  importCommand,
  exportCommand,
  reportCommand,
  doctorCommand,
  corpusCommand,
];

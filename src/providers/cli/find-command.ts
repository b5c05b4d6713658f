// Where the commands are on PATH. Only what starts them, and what hides their paths, asks for it.
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, sep } from "node:path";
import type { ProviderName } from "../../models/schema.ts";
import type { Environment } from "../../workspace.ts";

export const COMMANDS = {
  claude: { product: "Claude Code", package: "@anthropic-ai/claude-code" },
  codex: { product: "Codex", package: "@openai/codex" },
} as const;
export type CommandName = keyof typeof COMMANDS;

/** The command of each provider that has one. */
export const COMMAND_OF: Readonly<Partial<Record<ProviderName, CommandName>>> = {
  "claude-cli": "claude",
  "codex-cli": "codex",
};

/** The file that a command's name stands for on PATH; null when there is none. */
export function findCommand(name: CommandName, env: Environment): string | null {
  for (const folder of (env.PATH ?? "").split(delimiter)) {
    // A relative entry would be looked up in another folder for every call.
    if (!isAbsolute(folder)) continue;
    const path = join(folder, name);
    try {
      accessSync(path, constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not in this folder.
    }
  }
  return null;
}

/** What the shell and `env` end with when there is no such program. */
const NOT_FOUND = 127;

/** Why a command did not run at all; null when it did. The system has one code for a file and for the interpreter that it names. */
export function startProblem(
  name: CommandName,
  path: string,
  end: { readonly how: string; readonly refusal: string | null; readonly exitCode: number | null },
): string | null {
  if (end.how === "not_started") {
    const problem = `${name} could not be started (${end.refusal ?? "unknown reason"})`;
    if (end.refusal !== "ENOENT") return problem;
    return existsSync(path)
      ? `${problem}: its file is there, but the interpreter that its first line names is not`
      : `${problem}: its file is not there any more`;
  }
  if (end.exitCode === NOT_FOUND) {
    return `${name} ended with exit code ${NOT_FOUND}: its file is there, but a program that it needs, such as its interpreter, is not on PATH`;
  }
  return null;
}

/** Folders of everybody's system: they tell nothing about this machine. */
const SYSTEM_FOLDERS = ["", "/usr", "/usr/local", "/opt/homebrew", "/opt/local"].flatMap((prefix) => [
  `${prefix}/bin`,
  `${prefix}/lib`,
]);

/** Where the commands are installed, as their own messages may say it. */
export function commandFolders(env: Environment): string[] {
  const folders = (Object.keys(COMMANDS) as CommandName[]).flatMap((name) => {
    const path = findCommand(name, env);
    if (path === null) return [];
    return [path, realpathSync(path)].map((file) => {
      const packages = file.indexOf(`${sep}node_modules${sep}`);
      return packages === -1 ? dirname(file) : file.slice(0, packages);
    });
  });
  return folders.filter((folder) => !SYSTEM_FOLDERS.includes(folder));
}

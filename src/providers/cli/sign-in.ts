// The tokens of a person's sign-in. A command that is signed in can echo them, so every call looks what they are, before it
// and after: a command may renew them.
import { readBytes } from "../../documents.ts";
import { UserError } from "../../errors.ts";
import { member, tryJson } from "../response.ts";
import { isDistinctive } from "../trace.ts";

/** Nobody is signed in any more, or the sign-in cannot be read: before a run it is refused, within one it is a call's status. */
export class SignInError extends UserError {}

/** Larger files are no sign-in. */
export const MAX_SIGN_IN_BYTES = 1024 * 1024;

/** A file with tokens. */
export interface SignInFile {
  readonly path: string;
  /** The parts of its document that hold them; all of it when not given. */
  readonly parts?: readonly string[];
}

/** The longer texts of these files, each of which may be a token. Whatever cannot be read holds none. */
export async function tokensIn(files: readonly SignInFile[]): Promise<string[]> {
  const found = await Promise.all(files.map(({ path, parts }) => tokensOf(path, parts)));
  return [...new Set(found.flat())];
}

async function tokensOf(path: string, parts: SignInFile["parts"]): Promise<string[]> {
  let document: unknown;
  try {
    const { value } = await readBytes(path, MAX_SIGN_IN_BYTES);
    document = value === undefined ? undefined : tryJson(value.toString("utf8"));
  } catch {
    // It went away in between, say.
    return [];
  }
  return textsOf(parts === undefined ? document : parts.map((part) => member(document, part)));
}

function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  const left = [value];
  while (left.length > 0) {
    const one = left.pop();
    if (typeof one === "string" && isDistinctive(one)) texts.push(one);
    if (typeof one === "object" && one !== null) for (const part of Object.values(one)) left.push(part);
  }
  return texts;
}

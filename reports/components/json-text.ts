// JSON for reading: only white space is added, so that numbers, order and repeated names stay as they are written.

/** A value that is not longer than this stands on one line. */
const LINE = 90;
/** Deeper data are shown as they are. */
const DEPTH = 100;

/** A name and its value: the text of a string, or JSON text. */
export interface Member {
  readonly name: string;
  readonly value: string;
}

/** JSON text over several lines; null when it is no JSON object or list. */
export function indented(json: string): string | null {
  const tokens = tokensOf(json);
  if (tokens === null || deepest(tokens) > DEPTH) return null;
  let at = 0;
  const next = (): string => tokens[at++] ?? "";
  const value = (indent: string): string => {
    const open = next();
    if (open !== "{" && open !== "[") return open;
    const close = open === "{" ? "}" : "]";
    const inner = `${indent}  `;
    const items: string[] = [];
    while (at < tokens.length && tokens[at] !== close) {
      if (tokens[at] === ",") at += 1;
      let item = value(inner);
      if (tokens[at] === ":") {
        at += 1;
        item += `: ${value(inner)}`;
      }
      items.push(item);
    }
    at += 1;
    if (items.length === 0) return open + close;
    const pad = open === "{" ? " " : "";
    const line = `${open}${pad}${items.join(", ")}${pad}${close}`;
    if (line.length <= LINE && !line.includes("\n")) return line;
    return `${open}\n${items.map((item) => inner + item).join(",\n")}\n${indent}${close}`;
  };
  return value("");
}

/** The members of a JSON object in their order; null when it is none. */
export function membersOf(json: string): readonly Member[] | null {
  const tokens = tokensOf(json);
  if (tokens === null || tokens[0] !== "{") return null;
  const members: Member[] = [];
  let name: string | null = null;
  let value = "";
  let depth = 0;
  for (const token of tokens.slice(1)) {
    if (depth === 0 && (token === "," || token === "}")) {
      if (name !== null) members.push({ name, value: plain(value) });
      name = null;
      value = "";
    } else if (depth === 0 && token === ":" && name === null) {
      name = plain(value);
      value = "";
    } else {
      value += token;
    }
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
  }
  return members;
}

/** The text of a JSON string; other values as they are written. */
export function plain(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}

/** The tokens of JSON text that is an object or a list; null for any other text. */
function tokensOf(json: string): readonly string[] | null {
  if (!/^\s*[{[]/.test(json) || !isJson(json)) return null;
  return json.match(/"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function deepest(tokens: readonly string[]): number {
  let depth = 0;
  let most = 0;
  for (const token of tokens) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

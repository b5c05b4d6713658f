// Decides an ENG-1 row by rewriting its range into plain comparisons of padded texts.

const pad = (numbers: readonly (string | number)[]): string =>
  [0, 1, 2].map((place) => String(numbers[place] ?? 0).padStart(5, "0")).join(".");

/** "9.4.x" → ["9", "4"]. */
const known = (text: string): string[] => text.split(".").filter((part) => /^\d+$/.test(part));

const raised = (numbers: readonly string[], place: number): string =>
  pad([...numbers.slice(0, place), Number(numbers[place]) + 1]);

type Test = (version: string) => boolean;

function condition(text: string): Test {
  const operator = /^\D*/.exec(text)?.[0] ?? "";
  const numbers = known(text.slice(operator.length));
  const low = pad(numbers);
  const past = raised(numbers, numbers.length - 1);
  const all: Record<string, Test> = {
    ">=": (v) => v >= low,
    ">": (v) => v >= past,
    "<": (v) => v < low,
    "<=": (v) => v < past,
    "^": (v) => v >= low && v < raised(numbers, 0),
    "~": (v) => v >= low && v < raised(numbers, Math.min(1, numbers.length - 1)),
    "": (v) => v >= low && v < past,
  };
  const found = all[operator];
  if (found === undefined) throw new Error(`unknown operator in ${text}`);
  return found;
}

/** The version that is installed; empty where none is in the range. */
export function installed(state: { range: string; published: readonly { version: string }[] }): string {
  const plain = state.range.replace(/(\S+) - (\S+)/g, ">=$1 <=$2");
  const alternatives = plain.split("||").map((part) => part.trim().split(" ").map(condition));
  const inside = state.published
    .map(({ version }) => version)
    .filter((version) =>
      alternatives.some((tests) => tests.every((holds) => holds(pad(version.split("."))))),
    );
  return inside.reduce(
    (best, version) => (best === "" || pad(version.split(".")) > pad(best.split(".")) ? version : best),
    "",
  );
}

// Readers of option values: each says what it expected and what it got.
import { InvalidArgumentError } from "commander";

/** A whole number from `low` to `high`. */
export function wholeNumber(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < low || value > high) {
      throw new InvalidArgumentError(`expected a whole number from ${low} to ${high}.`);
    }
    return value;
  };
}

/** A number above 0 and at most `high`. */
export function positiveNumber(high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d*\.?\d+$/.test(text) || !(value > 0) || value > high) {
      throw new InvalidArgumentError(`expected a number above 0, at most ${high}.`);
    }
    return value;
  };
}

/** A number from `low` to `high`, such as 2 or 0.5. */
export function numberFrom(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d*\.?\d+$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(`expected a number from ${low} to ${high}.`);
    }
    return value;
  };
}

/** Names with commas between them; spaces around a name are dropped, repeated ones too. */
export function nameList(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.some((name) => name === ""))
    throw new InvalidArgumentError("expected names with commas between them.");
  return [...new Set(names)];
}

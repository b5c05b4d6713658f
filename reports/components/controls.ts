// Choices of a reader, each bound to a value of the page's state.
import { html } from "npm:htl";
import type { State, Values } from "./state.js";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** Names of the values of a state that are texts. */
type TextName<T extends Values> = { [K in keyof T]: T[K] extends string ? K : never }[keyof T] & string;
/** Names of those that are lists. */
type ListName<T extends Values> = { [K in keyof T]: T[K] extends readonly string[] ? K : never }[keyof T] &
  string;

/** A list of which one is chosen. A value that is none of them shows as the first. */
export function select<T extends Values>(
  state: State<T>,
  name: TextName<T>,
  label: string,
  choices: readonly Choice[],
): HTMLElement {
  const input = html`<select name=${name}>
    ${choices.map(({ value, label: text }) => html`<option value=${value}>${text}</option>`)}
  </select>` as HTMLSelectElement;
  const show = (): void => {
    const value = state.get()[name] as string;
    input.value = choices.some((choice) => choice.value === value) ? value : (choices[0]?.value ?? "");
  };
  show();
  state.listen(show);
  input.addEventListener("change", () => state.set({ [name]: input.value } as Partial<T>));
  return html`<label class="control"><span>${label}</span>${input}</label>`;
}

/** A box to tick; the value is "1" when it is, else empty. */
export function tick<T extends Values>(state: State<T>, name: TextName<T>, label: string): HTMLElement {
  const input = html`<input type="checkbox" name=${name}>` as HTMLInputElement;
  const show = (): void => {
    input.checked = state.get()[name] === "1";
  };
  show();
  state.listen(show);
  input.addEventListener("change", () => state.set({ [name]: input.checked ? "1" : "" } as Partial<T>));
  return html`<label class="control tick">${input}<span>${label}</span></label>`;
}

/** Boxes of which some are ticked; none of them means all. */
export function ticks<T extends Values>(
  state: State<T>,
  name: ListName<T>,
  label: string,
  choices: readonly Choice[],
): HTMLElement {
  const boxes = choices.map(({ value, label: text }) => {
    const input = html`<input type="checkbox" name=${name} value=${value}>` as HTMLInputElement;
    input.addEventListener("change", () => {
      const chosen = boxes.filter((box) => box.input.checked).map((box) => box.input.value);
      state.set({ [name]: chosen } as unknown as Partial<T>);
    });
    return { input, element: html`<label class="tick">${input}<span>${text}</span></label>` };
  });
  const show = (): void => {
    const chosen = state.get()[name] as readonly string[];
    for (const { input } of boxes) input.checked = chosen.includes(input.value);
  };
  show();
  state.listen(show);
  return html`<fieldset class="control ticks"><legend>${label}</legend>${boxes.map(({ element }) => element)}</fieldset>`;
}

/** A text to search for; the state follows a moment after the last key. */
export function search<T extends Values>(
  state: State<T>,
  name: TextName<T>,
  label: string,
  hint = "",
): HTMLElement {
  const input =
    html`<input type="search" name=${name} placeholder=${hint} autocomplete="off" spellcheck="false">` as HTMLInputElement;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    // What was typed a moment ago is on its way, and newer than the state.
    if (waiting !== undefined) return;
    const value = state.get()[name] as string;
    if (input.value !== value) input.value = value;
  };
  show();
  state.listen(show);
  input.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      waiting = undefined;
      state.set({ [name]: input.value } as Partial<T>);
    }, 150);
  });
  return html`<label class="control search"><span>${label}</span>${input}</label>`;
}

/** The row in which the controls of a page stand. */
export function controls(...elements: readonly Node[]): HTMLElement {
  return html`<form class="controls" onsubmit=${(event: Event) => event.preventDefault()}>${elements}</form>`;
}

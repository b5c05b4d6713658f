// A link to another state of the same page: it can be sent and opened in a tab, and a plain click loads nothing anew.
import { html } from "npm:htl";
import { addressOf, type State, type Values } from "./state.js";

/** A link to the page's state with some changes. */
export function stateLink<T extends Values>(
  state: State<T>,
  defaults: T,
  changes: Partial<T>,
  content: string | Node,
): HTMLElement {
  const link = html`<a href=${addressOf({ ...state.get(), ...changes }, defaults)}>${content}</a>`;
  link.addEventListener("click", (event) => {
    // With a key held down, a browser opens a tab or saves the page.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    state.visit(changes);
  });
  return link;
}

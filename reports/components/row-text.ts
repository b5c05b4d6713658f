// Long texts of a corpus or a model, as they are: nothing in them is markup, and nothing in them is hidden.
import { html } from "npm:htl";

/**
 * Characters that show nothing or turn the order of what follows: control characters but tab and line breaks, soft hyphen,
 * marks of direction, zero-width space, word joiner and the like. Joiners stay: emoji and some scripts need them.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/;
/** So many of them are shown; a text of nothing else would make thousands of elements. */
const SHOWN_MARKS = 1000;

/**
 * A text in a box of its own that scrolls, with unseen characters shown by their number.
 *
 * @param name said to a screen reader.
 * @param prose whether it was written to be read, and no digit has to stand below another.
 */
export function textBox(text: string, name: string, prose = false): HTMLElement {
  const box = html`<pre class=${prose ? "text prose" : "text"} dir="auto" tabindex="0" role="region" aria-label=${name}></pre>`;
  box.append(...withMarks(text));
  return box;
}

/** A text within a line, for a place of its own: it does not turn what stands around it. */
export function inlineText(text: string): HTMLElement {
  const element = html`<bdi class="text"></bdi>`;
  element.append(...withMarks(text));
  return element;
}

function withMarks(text: string): (string | Node)[] {
  const parts: (string | Node)[] = [];
  let rest = text;
  for (let marks = 0; marks < SHOWN_MARKS; marks += 1) {
    const at = rest.search(UNSEEN);
    if (at === -1) break;
    const code = rest.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
    parts.push(rest.slice(0, at), html`<span class="unseen">${`U+${code}`}</span>`);
    rest = rest.slice(at + 1);
  }
  parts.push(rest);
  return parts;
}

/** A web address as a link, which tells the other side nothing of where it was; any other text as text. */
export function linkOrText(text: string): HTMLElement {
  if (!/^https?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return inlineText(text);
  const { protocol } = new URL(text);
  if (protocol !== "http:" && protocol !== "https:") return inlineText(text);
  const link = html`<a href=${text} rel="noreferrer noopener"></a>`;
  link.append(inlineText(text));
  return link;
}

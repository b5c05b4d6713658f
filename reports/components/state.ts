// What a reader has chosen stands in the address, so that a view can be sent. Defaults are left out of it.

/** Texts, or lists of texts, by the names that stand in the address. */
export type Values = Readonly<Record<string, string | readonly string[]>>;

export interface State<T extends Values> {
  readonly get: () => T;
  /** Changes some values and tells everybody who listens. */
  readonly set: (changes: Partial<T>) => void;
  /** Does so as a step that the browser's back button undoes. */
  readonly visit: (changes: Partial<T>) => void;
  readonly listen: (listener: (values: T) => void) => void;
}

/** The state of a page. What an address says beyond `defaults` is left as it is; a page checks what it gets. */
export function pageState<T extends Values>(defaults: T): State<T> {
  let values = fromAddress(defaults);
  const listeners: ((values: T) => void)[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener(values);
  };
  addEventListener("popstate", () => {
    values = fromAddress(defaults);
    tell();
  });
  const change = (changes: Partial<T>, step: boolean): void => {
    values = { ...values, ...changes };
    const address = addressOf(values, defaults);
    if (step) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    tell();
  };
  return {
    get: () => values,
    set: (changes) => change(changes, false),
    visit: (changes) => change(changes, true),
    listen: (listener) => listeners.push(listener),
  };
}

function fromAddress<T extends Values>(defaults: T): T {
  const query = new URLSearchParams(location.search);
  const entries = Object.entries(defaults).map(([name, usual]) => {
    if (!query.has(name)) return [name, usual];
    return [
      name,
      Array.isArray(usual) ? query.getAll(name).filter((value) => value !== "") : (query.get(name) ?? ""),
    ];
  });
  return Object.fromEntries(entries) as T;
}

/** The address of the page with these values. */
export function addressOf(values: Values, defaults: Values): string {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values)) {
    query.delete(name);
    if (String(value) === String(defaults[name])) continue;
    if (typeof value === "string") query.set(name, value);
    // An empty list that is not the default is said by an empty value.
    else for (const one of value.length === 0 ? [""] : value) query.append(name, one);
  }
  const text = query.toString();
  return `${location.pathname}${text === "" ? "" : `?${text}`}${location.hash}`;
}

/** An address of a page of this site with a state: `pageLink("rows", { row: "eng-1-001" })`. */
export function pageLink(page: string, values: Values = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of typeof value === "string" ? [value] : value) query.append(name, one);
  }
  const text = query.toString();
  return `./${page === "index" ? "" : `${page}.html`}${text === "" ? "" : `?${text}`}`;
}

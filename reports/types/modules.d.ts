// What the pages import from Observable Framework and from packages without types of their own.

declare module "npm:htl" {
  type Template = (strings: TemplateStringsArray, ...values: unknown[]) => HTMLElement;
  export const html: Template & {
    fragment: (strings: TemplateStringsArray, ...values: unknown[]) => DocumentFragment;
  };
}

declare module "observablehq:stdlib" {
  /** A file that is built with the site. */
  export interface Attachment {
    readonly href: string;
    json(): Promise<never>;
    arrow(): Promise<ArrowTable>;
    text(): Promise<string>;
  }
  /** The part of an Arrow table that the pages use. */
  export interface ArrowTable extends Iterable<{ toJSON(): Record<string, unknown> }> {
    readonly numRows: number;
    getChild(name: string): { get(index: number): unknown; readonly length: number } | null;
  }
  /** `path` must be a literal: Framework looks for it before anything runs. */
  export function FileAttachment(path: string): Attachment;
}

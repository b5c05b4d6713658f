// All categories of the corpus, in the order of its rows.
import { agents } from "./agents.ts";
import { commerce } from "./commerce.ts";
import { data } from "./data.ts";
import { design } from "./design.ts";
import { documents } from "./documents.ts";
import { engineering } from "./engineering.ts";
import { finance } from "./finance.ts";
import { legal } from "./legal.ts";
import { product } from "./product.ts";
import { safety } from "./safety.ts";
import { support } from "./support.ts";
import type { Category } from "./task.ts";

export const CATEGORIES: readonly Category[] = [
  engineering,
  agents,
  safety,
  support,
  commerce,
  finance,
  legal,
  product,
  data,
  documents,
  design,
];

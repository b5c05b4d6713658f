// placeholder, replaced by the providers' branch
export interface Answer {
  /** null: a native provider's answer without a choice. */
  readonly label: string | null;
  /** Normalised, one per option in shown order; null without a label. */
  readonly probabilities: ReadonlyMap<string, number> | null;
  readonly rawProbabilitySum: number | null;
  readonly labelIsArgmax: boolean | null;
  readonly probabilitySource: "verbalized" | "native" | "baseline" | "label-only";
}

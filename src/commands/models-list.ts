// What `bench models` prints. Whether a model can run is asked of its provider, so that there is one rule for it.
import { UserError } from "../errors.ts";
import { loadModels } from "../models/registry.ts";
import type { ModelConfig } from "../models/schema.ts";
import { visible } from "../output.ts";
import { Commands } from "../providers/cli/command.ts";
import { COMMAND_OF } from "../providers/cli/find-command.ts";
import { createProvider } from "../providers/registry.ts";
import type { Workspace } from "../workspace.ts";
import type { Context } from "./context.ts";
import type { ModelsOptions } from "./models.ts";
import { writeJson } from "./output.ts";
import { renderTable } from "./table.ts";

/** Prints the configured models, in the order of `config/models.json`. */
export async function listModels(context: Context, { json, remote }: ModelsOptions): Promise<void> {
  const workspace = await context.workspace();
  const commands = new Commands(workspace.env);
  const describe = async (model: ModelConfig) => {
    const problem = await findProblem(model, workspace, commands);
    const command = COMMAND_OF[model.provider];
    return {
      id: model.id,
      label: model.label,
      vendor: model.vendor ?? null,
      provider: model.provider,
      model: model.model,
      vision: model.vision ?? false,
      pricing: model.pricing ?? null,
      ready: problem === null,
      problem,
      cli: command === undefined ? null : await commands.report(command),
    };
  };
  // A command takes its time to say which version it is.
  const models = await loadModels(workspace);
  const listed = await Promise.all(models.map(describe));
  const ofRemote = remote === true ? await import("./models-remote.ts") : undefined;
  const asked = await ofRemote?.askEndpoints(models, workspace, context);
  if (json === true) {
    await writeJson(context, { models: listed, remote: asked });
    return;
  }
  const rate = (usd: number | undefined): string => (usd === undefined ? "–" : usd.toString());
  const table = renderTable(
    [
      { head: "model" },
      { head: "provider" },
      { head: "sent as" },
      { head: "USD/M in", align: "right" },
      { head: "USD/M out", align: "right" },
      { head: "ready" },
    ],
    listed.map((model) => [
      model.id,
      model.provider,
      visible(model.model),
      rate(model.pricing?.input_per_mtok),
      rate(model.pricing?.output_per_mtok),
      model.ready ? "yes" : "no",
    ]),
  );
  context.stdout.write(table);
  const reports = new Map(listed.flatMap(({ cli }) => (cli === null ? [] : [[cli.command, cli] as const])));
  for (const { command, found, version, supported } of reports.values()) {
    const what = version === null ? "no version" : `version ${visible(version)}`;
    const said = found ? `${what}, ${supported ? "supported" : "not supported"}` : "not on PATH";
    context.stdout.write(`command ${command}: ${said}\n`);
  }
  // Models of one endpoint lack the same.
  for (const problem of new Set(listed.map((model) => model.problem))) {
    if (problem === null) continue;
    const ids = listed.filter((model) => model.problem === problem).map((model) => model.id);
    context.stdout.write(`${ids.join(", ")}: ${problem}\n`);
  }
  if (asked !== undefined) context.stdout.write(`\n${ofRemote?.remoteText(asked)}`);
}

async function findProblem(
  model: ModelConfig,
  workspace: Workspace,
  commands: Commands,
): Promise<string | null> {
  try {
    const options = { env: workspace.env, corpusDir: workspace.root, jobs: 1, commands };
    const provider = await createProvider(model, options);
    await provider.close();
    return null;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

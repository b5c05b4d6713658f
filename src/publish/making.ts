// How a result was made, from its own head file: what the views do not hold.
import { join } from "node:path";
import { setOwn, type Writable } from "../answers/json.ts";
import { PUBLISHED_FILES } from "../ledgers/published.ts";
import { readMetadata, readRunRecord } from "../ledgers/record.ts";
import { RUN_FILES } from "../ledgers/schema.ts";
import { orWhy } from "../warehouse/folders.ts";
import { isPublishedId } from "../warehouse/published.ts";
import type { Workspace } from "../workspace.ts";
import type { Making } from "./eee.ts";
import type { SecretScan } from "./secret-scan.ts";

/** {@link Making}, and the corpus that the result is about. */
export interface Made extends Making {
  readonly corpusSha256: string;
}

/**
 * What a published result, or a local run, says of how it was made; of a local run only what is published of one, masked.
 * Where it is reached is never told. The answer is a text, why it cannot, when the head file cannot be read.
 */
export function makingOf(workspace: Workspace, id: string, scan: SecretScan): Made | string {
  if (!isPublishedId(id)) {
    const record = orWhy(() => readRunRecord(join(workspace.runsDir, id, RUN_FILES.run)));
    if (record === null || typeof record === "string") return unreadable(RUN_FILES.run, record);
    const last = record.executions.at(-1);
    return {
      corpusSha256: record.config.corpus_sha256,
      request: requestOf(scan.maskDocument(record.config.request)),
      resolvedModels: [],
      timeLimitSeconds: last?.timeout_s ?? null,
      maxAttempts: last?.max_attempts ?? null,
    };
  }
  const metadata = orWhy(() => readMetadata(join(workspace.resultsDir, id, PUBLISHED_FILES.metadata)));
  if (metadata === null || typeof metadata === "string")
    return unreadable(PUBLISHED_FILES.metadata, metadata);
  const { run, model, corpus } = metadata;
  const models = model.resolved_models;
  return {
    corpusSha256: corpus.sha256,
    request: requestOf(metadata.request),
    resolvedModels: Array.isArray(models) ? models.filter((name) => typeof name === "string") : [],
    timeLimitSeconds: typeof run.timeout_seconds === "number" ? run.timeout_seconds : null,
    maxAttempts: typeof run.max_attempts === "number" ? run.max_attempts : null,
  };
}

function unreadable(file: string, why: string | null): string {
  return `${file} ${why ?? "is not there"}`;
}

/** The options of a request: an object of JSON values, whatever its keys are. */
function requestOf(value: unknown): Readonly<Record<string, Writable>> {
  const request: Record<string, unknown> = {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    for (const [key, item] of Object.entries(value)) setOwn(request, key, item);
  }
  return request as Readonly<Record<string, Writable>>;
}

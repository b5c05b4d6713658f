import { expect, test } from "vitest";
import type { RunRecord } from "../../src/ledgers/schema.ts";
import { metadataHead } from "../../src/publish/metadata.ts";

const execution = (commit: string | null, dirty: boolean | null, jobs: number) => ({
  id: `e${jobs}`,
  started_at: "2026-11-01T10:00:00.000Z",
  ended_at: null,
  git_commit: commit,
  git_dirty: dirty,
  jobs,
  timeout_s: 60,
  max_attempts: 2,
  rpm: null,
  retry_errors: false,
  pending_rows: 6,
});

const RUN: RunRecord = {
  schema_version: 1,
  id: "run",
  created_at: "2026-11-01T10:00:00.000Z",
  completed_at: "2026-11-01T11:00:00.000Z",
  status: "completed",
  config: {
    suite: "tiny",
    corpus_version: "1.0.0",
    corpus_sha256: "0".repeat(64),
    prompt_version: "choice-v1",
    prompt_sha256: "1".repeat(64),
    model_id: "model-x",
    provider: "openai-compatible",
    api_model: "served-by-marked",
    request: { temperature: 0 },
    endpoint_id: "endpoint-0123456789ab",
    selected_rows: { count: 6, sha256: "2".repeat(64) },
  },
  model: {
    id: "model-x",
    label: "X at marked",
    short_label: "X marked",
    vendor: "marked",
    color: "#123456",
  },
  pricing: null,
  harness: { version: "0.1.0" },
  platform: { os: "linux", node: "v20" },
  executions: [
    execution("b".repeat(40), true, 8),
    execution(null, null, 4),
    execution("a".repeat(40), false, 2),
    execution("b".repeat(40), false, 1),
  ],
};

const headOf = (run: RunRecord, warnings: readonly string[] = []) =>
  metadataHead({
    run,
    resolvedModels: ["model-x-1"],
    warnings,
    publishedAt: "2026-11-02T00:00:00.000Z",
    analysisVersion: "v1",
    mask: (text) => text.replaceAll("marked", "[masked]"),
  });

test("every name that somebody else has chosen is masked", () => {
  const { model } = headOf(RUN);
  expect(model).toEqual({
    id: "model-x",
    label: "X at [masked]",
    short_label: "X [masked]",
    vendor: "[masked]",
    provider: "openai-compatible",
    color: "#123456",
    api_model: "served-by-[masked]",
    resolved_models: ["model-x-1"],
  });
});

test("of several executions the last one speaks, but one that was dirty makes all of them so", () => {
  const head = headOf(RUN);
  expect(head.harness).toEqual({
    version: "0.1.0",
    git_commit: "b".repeat(40),
    git_dirty: true,
    git_commits: ["a".repeat(40), "b".repeat(40)],
  });
  expect(head.run).toMatchObject({ executions: 4, jobs: 1, timeout_seconds: 60, max_attempts: 2 });
  const clean = { ...RUN, executions: RUN.executions.slice(2) };
  expect(headOf(clean).harness.git_dirty).toBe(false);
  const unknown = { ...RUN, executions: RUN.executions.slice(1, 2) };
  expect(headOf(unknown).harness).toMatchObject({ git_commit: null, git_dirty: null, git_commits: [] });
});

test("the versions of the command stand in the order of their use, where there is a command", () => {
  const versions = ["2.1.9", "2.1.10", "2.1.9", null];
  const executions = RUN.executions.map((one, at) => ({ ...one, cli_version: versions[at] ?? null }));
  expect(headOf({ ...RUN, executions }).run.cli_versions).toEqual(["2.1.9", "2.1.10"]);
  expect(headOf(RUN).run).not.toHaveProperty("cli_versions");
});

test("a run that called nothing has no settings of calls, and warnings stand only where there are some", () => {
  const head = headOf({ ...RUN, executions: [] }, ["its run is interrupted"]);
  expect(head.run).toMatchObject({ executions: 0, jobs: null, timeout_seconds: null, max_attempts: null });
  expect(head.published_with_warnings).toEqual(["its run is interrupted"]);
  expect(headOf(RUN)).not.toHaveProperty("published_with_warnings");
});

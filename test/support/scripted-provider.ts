// A provider against the scripted endpoint: both are there anew for each test of a file, with a folder for pictures, and gone
// after it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import type { CorpusRow } from "../../src/corpus/schema.ts";
import type { ModelConfig } from "../../src/models/schema.ts";
import type { CallOptions, CallOutcome, Provider } from "../../src/providers/provider.ts";
import { createProvider, type ProviderOptions } from "../../src/providers/registry.ts";
import { type ScriptedEndpoint, startEndpoint } from "./endpoint.ts";
import { makeRow } from "./rows.ts";

/** What a test has at hand. */
export interface Scripted {
  readonly endpoint: ScriptedEndpoint;
  /** Empty. */
  readonly corpusDir: string;
  /** Opens a provider in place of the one before. */
  open(
    model: ModelConfig,
    env: ProviderOptions["env"],
    options?: Partial<Pick<ProviderOptions, "jobs" | "now">>,
  ): Promise<Provider>;
  /** Calls the provider that is open; none is opened by `open` first. */
  call(open: () => Promise<Provider>, row?: CorpusRow, options?: Partial<CallOptions>): Promise<CallOutcome>;
  /** Closes the provider that is open; it stays the one that is called. */
  close(): Promise<void>;
}

/** Sets up every test of the file that calls it; `begin` is handed what the test has. */
export function useScripted(begin: (scripted: Scripted) => void): void {
  let scripted: Scripted | undefined;
  beforeEach(async () => {
    const endpoint = await startEndpoint();
    const corpusDir = mkdtempSync(join(tmpdir(), "bench-corpus-"));
    let provider: Provider | undefined;
    scripted = {
      endpoint,
      corpusDir,
      async open(model, env, options = {}) {
        await provider?.close();
        provider = await createProvider(model, { env, corpusDir, jobs: 4, ...options });
        return provider;
      },
      async call(open, row = makeRow(), options = {}) {
        provider ??= await open();
        return provider.call(row, { timeoutMs: 5000, signal: new AbortController().signal, ...options });
      },
      close: async () => await provider?.close(),
    };
    begin(scripted);
  });
  afterEach(async () => {
    await scripted?.close();
    await scripted?.endpoint.close();
    if (scripted !== undefined) rmSync(scripted.corpusDir, { recursive: true });
    scripted = undefined;
  });
}

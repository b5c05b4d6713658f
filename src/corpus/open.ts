// Opens the active corpus for who has other things to do while it is checked: its rows first, the word that they are the
// frozen ones later, or at once where exactly these bytes were checked before.
import type { Workspace } from "../workspace.ts";
import { recallCorpus, rememberCorpus, type SoundBytes } from "./known.ts";
import { type Corpus, type CorpusFile, loadCorpus } from "./load.ts";

/** A corpus whose rows are read, and the word that they are the frozen ones, which takes longer. */
export interface OpenedCorpus<T extends CorpusFile = Corpus> {
  readonly corpus: T;
  /** Rejects with what {@link loadCorpus} would have thrown. Nothing may be written or called before it resolves. */
  readonly verified: Promise<unknown>;
  /** Resolves when it is noted, if it can be, that a large corpus was found sound; never rejects. */
  readonly noted: Promise<void>;
}

/**
 * {@link loadCorpus} for who has other things to read meanwhile. The rows of a large corpus stay in the file: see
 * {@link wholeRow}.
 *
 * @param mayWrite makes `runs/` for the note, where it is missing.
 * @throws {UserError} for what is found before the digest is known.
 */
export function openCorpus(workspace: Workspace, mayWrite: boolean): Promise<OpenedCorpus> {
  return open(workspace, true, mayWrite);
}

/**
 * {@link openCorpus} for who reads the rows from the file on its own: none is kept, so that a corpus of any size is
 * checked in little memory.
 *
 * @throws {UserError} as {@link openCorpus}; {@link InterruptedError} when it was stopped.
 */
export function openCorpusFile(
  workspace: Workspace,
  signal?: AbortSignal,
): Promise<OpenedCorpus<CorpusFile>> {
  return open(workspace, false, false, signal);
}

async function open(
  workspace: Workspace,
  keepRows: boolean,
  mayWrite: boolean,
  signal?: AbortSignal,
): Promise<OpenedCorpus> {
  const known = await recallCorpus(workspace, keepRows, signal);
  if (known !== null) return { corpus: known, verified: Promise.resolve(), noted: Promise.resolve() };
  return new Promise((resolve, reject) => {
    let sound: SoundBytes | null = null;
    const onRead = (corpus: Corpus): void => resolve({ corpus, verified, noted });
    const onSound = (bytes: SoundBytes): void => {
      sound = bytes;
    };
    const verified: Promise<Corpus> = loadCorpus(workspace, {
      keepRows,
      leaveInFile: true,
      onRead,
      onSound,
      signal,
    });
    const noted = verified.then(
      async (corpus) => {
        if (sound !== null) await rememberCorpus(workspace, sound, corpus, mayWrite);
      },
      // That it is not sound is told by `verified`.
      () => {},
    );
    // Whoever waits for it gets the error; before anybody can, it ends the opening.
    verified.then((corpus) => resolve({ corpus, verified, noted }), reject);
  });
}

import { chownSync, existsSync, readdirSync, statSync } from 'node:fs';
import { onEndingSignal } from '../../../system/ending-signals.ts';
import { CUT_OFF_STATUS } from '../../../system/command-line/parsers.ts';
import { type OnProgress, progressPrinter } from '../../../system/progress.ts';
import { dirname, join } from 'node:path';

export interface StudyContext {
  /** When aborted, nothing new begins, and current work must end. */
  readonly signal: AbortSignal;
  readonly print: OnProgress;
}

interface Options {
  /** Whether any run is finished. */
  readonly hasFinished: () => boolean;
  /** Ends the study in the same way as Ctrl-C. */
  readonly ending?: AbortSignal | undefined;
  /** Set for a part of another study that shows its own progress. */
  readonly isQuiet?: boolean | undefined;
}

/**
 * The life cycle of a study. Ctrl-C ends it and keeps finished runs, with an exit status that indicates the
 * interruption; progress is printed; files that root wrote are given to the owner of the parent folder.
 */
export async function lifeCycle(
  outDir: string,
  live: (life: StudyContext) => Promise<'complete' | 'cut off'>,
  { ending, hasFinished, isQuiet = false }: Options,
): Promise<'complete' | 'cut off'> {
  const print = isQuiet ? quietPrinter : progressPrinter();
  const interrupted = new AbortController();
  const stopListening = onEndingSignal(() => interrupted.abort());
  const signal = AbortSignal.any([interrupted.signal, ...(ending ? [ending] : [])]);
  const made = firstMissing(outDir) ?? outDir;
  try {
    const result = await live({ signal, print }).catch((error: unknown) => {
      // Interrupted work has not failed.
      if (signal.aborted) return 'cut off' as const;
      throw withReason(error);
    });
    if (result === 'cut off')
      print({
        task: hasFinished()
          ? 'Interrupted; finished runs are kept, and --resume continues'
          : 'Interrupted before any run was finished; --resume starts again',
        lasting: true,
      });
    if (interrupted.signal.aborted && result === 'cut off') process.exitCode = CUT_OFF_STATUS;
    return result;
  } finally {
    print.end();
    stopListening();
    if (existsSync(outDir)) giveToOwner(made);
  }
}

const quietPrinter: ReturnType<typeof progressPrinter> = Object.assign(() => undefined, {
  end: () => undefined,
});

const withReason = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC'
    ? new Error('the disk is full; finished runs are kept; free some space, and --resume continues', {
        cause: error,
      })
    : error;

/** The outermost folder that must be created for this one; undefined if the folder exists. */
function firstMissing(folder: string): string | undefined {
  if (existsSync(folder)) return undefined;
  return firstMissing(dirname(folder)) ?? folder;
}

/**
 * Gives the results, from the first created folder on, to the owner of the folder above. Does nothing unless this
 * process is root.
 */
function giveToOwner(made: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(made));
  const give = (path: string): void => {
    chownSync(path, uid, gid);
    if (statSync(path).isDirectory()) for (const name of readdirSync(path)) give(join(path, name));
  };
  give(made);
}

import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BUSY_ATTEMPTS } from '../../network/measure/machine/busy-rule.ts';
import { ENDED_EARLY, type RunOutcome } from './study.ts';

/** A run that is repeated until it yields a result. */
export interface Attempted {
  /** The run's name in messages. */
  readonly name: string;
  /** The run's folder when it is finished. */
  readonly target: string;
  /**
   * Creates a temporary folder for the run, so that `target` exists only when the run is finished. Throws an Error if
   * there is too little space.
   */
  readonly begin: () => Promise<string>;
  /** The number of attempts at a run. If the machine was busy in all of them, the last attempt is kept. */
  readonly busyAttempts?: number | undefined;
  readonly make: (folder: string, signal: AbortSignal) => Promise<RunOutcome>;
  /** Called with the reason when an attempt yields no result. */
  readonly onRepeat: (reason: string) => void;
  /** Called before a run is kept although the machine was busy in every attempt. */
  readonly onKeptBusy?: (folder: string, reason: string) => void;
}

/**
 * The attempts at a run before the study stops. A machine that is busy for a while makes several runs invalid; repeated
 * failures, such as a browser that crashes or an arm that dash.js rejects, do not resolve themselves.
 */
const ATTEMPTS = { invalid: 12, failed: 3 };

/**
 * Makes a run. Deletes the files of a run that was ended early. Throws an Error of one line when the run fails too
 * often.
 */
export async function makeRun(run: Attempted, signal: AbortSignal): Promise<void> {
  const { name, target, busyAttempts = BUSY_ATTEMPTS, begin, make, onRepeat, onKeptBusy } = run;
  await mkdir(dirname(target), { recursive: true });
  const attempts = { ...ATTEMPTS, busy: busyAttempts };
  const left = { ...attempts };
  while (!signal.aborted) {
    const folder = await begin();
    try {
      const outcome = await make(folder, signal);
      const keptBusy = outcome.kind === 'busy' && left.busy === 1;
      if (keptBusy) onKeptBusy?.(folder, outcome.reason);
      if (outcome.kind === 'finished' || keptBusy) {
        await rm(target, { recursive: true, force: true });
        await rename(folder, target);
        return;
      }
      const { kind, reason } = outcome;
      // A run that was ended early has not failed.
      if (reason === ENDED_EARLY) return;
      onRepeat(`${kind}: ${reason}`);
      left[kind] -= 1;
      if (left[kind] === 0) {
        const what = kind === 'failed' ? 'failed' : 'was invalid';
        throw new Error(`${name} ${what} ${attempts[kind]} times: ${reason}`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

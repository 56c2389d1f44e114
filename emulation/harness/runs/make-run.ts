import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BUSY_ATTEMPTS } from '../../network/measure/machine/busy-rule.ts';
import { ENDED_EARLY, type RunOutcome } from './study.ts';

/** A run that is made until it is a result. */
export interface Attempted {
  /** Of the run, in messages. */
  readonly name: string;
  /** The folder that it has when it is finished. */
  readonly target: string;
  /** The folder in which it is made, so that `target` is always a finished run. Throws an Error where there is no room. */
  readonly begin: () => Promise<string>;
  readonly make: (folder: string, signal: AbortSignal) => Promise<RunOutcome>;
  /** Called with the reason when it was made and is no result. */
  readonly onRepeat: (reason: string) => void;
  /** Called before a run is kept although the machine was busy, which it always was. */
  readonly onKeptBusy?: (folder: string, reason: string) => void;
}

/**
 * How often a run is begun before it is given up. A machine that is busy for a while makes several runs invalid; what
 * fails again and again (a browser that dies, an arm that dash.js refuses) will not mend itself.
 */
const ATTEMPTS = { invalid: 12, failed: 3, busy: BUSY_ATTEMPTS };

/** Leaves nothing of a run that was ended early. Throws an Error of one line when it fails again and again. */
export async function makeRun(run: Attempted, signal: AbortSignal): Promise<void> {
  const { name, target, begin, make, onRepeat, onKeptBusy } = run;
  await mkdir(dirname(target), { recursive: true });
  const left = { ...ATTEMPTS };
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
        throw new Error(`${name} ${what} ${ATTEMPTS[kind]} times: ${reason}`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

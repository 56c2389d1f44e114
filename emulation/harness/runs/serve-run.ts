import { setTimeout as sleep } from 'node:timers/promises';
import { Closing } from '../../../system/closing.ts';
import { errorLine } from '../../../system/error-line.ts';
import type { RunOutcome } from './study.ts';
import type { RunProgram } from './run-program.ts';

/** The time to wait for a program that was just starting when the run was ended, ms. */
const SETTLE_MS = 4000;

/**
 * Serves one run in its own process: receives the run's spec, sends the outcome, and ends. A run that fails or crashes
 * does not affect the lab, and everything that the run registered with `closing` ends with the process.
 */
export function serveRun<Spec>(
  _program: RunProgram<Spec>,
  run: (spec: Spec, closing: Closing) => Promise<RunOutcome>,
): void {
  const closing = new Closing();
  let running: Promise<unknown> = Promise.resolve();
  let ending = false;

  const finish = (outcome: RunOutcome) => {
    if (!ending) process.send?.(outcome, undefined, {}, () => process.exit(0));
  };
  const giveUp = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await closing.close();
    await Promise.race([running, sleep(SETTLE_MS)]);
    await closing.close();
    process.exit(1);
  };
  // Ignored, because Ctrl-C reaches every process of the terminal. The lab ends its runs with SIGTERM, or by ending
  // itself.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  process.on('SIGTERM', () => void giveUp());
  process.on('disconnect', () => void giveUp());
  process.on('message', (spec) => {
    running = run(spec as Spec, closing).then(finish, (error: unknown) => {
      finish({ kind: 'failed', reason: errorLine(error) });
    });
  });
}

import { setTimeout as sleep } from 'node:timers/promises';
import { Closing } from '../../../system/closing.ts';
import { errorLine } from '../../../system/line-of.ts';
import type { RunOutcome } from './study.ts';
import type { RunProgram } from './run-program.ts';

/** The time, ms, that a program gets that was just being started when the run was ended. */
const SETTLE_MS = 4000;

/**
 * The process of one run: it gets the run's spec, sends the outcome, and ends. A run that fails or crashes does not affect
 * the lab, and all that it has started and registered with `closing` ends with it.
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
  // Ignored, since Ctrl-C reaches every process of the terminal: the lab ends its runs by SIGTERM, or by its own end.
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

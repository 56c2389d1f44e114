import { setTimeout as sleep } from 'node:timers/promises';
import { Closing } from '../../system/closing.ts';
import { lineOf } from '../../system/line-of.ts';
import type { RunOutcome } from './experiment.ts';

/** For what was just being started when the end came. */
const SETTLE_MS = 4000;

/**
 * The process of one run: it gets the run's spec, says what came of it, and ends. A run that goes wrong, down to a
 * crash, takes nobody with it; and what it has started, and put into `closing`, ends with it.
 */
export function serveRun(run: (spec: never, closing: Closing) => Promise<RunOutcome>): void {
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
  // Ctrl-C reaches every process of the terminal: the lab decides, and says so with SIGTERM, or by being no more.
  process.on('SIGINT', () => undefined);
  process.on('SIGHUP', () => undefined);
  process.on('SIGTERM', () => void giveUp());
  process.on('disconnect', () => void giveUp());
  process.on('message', (spec) => {
    running = run(spec as never, closing).then(finish, (error: unknown) => {
      finish({ kind: 'failed', reason: lineOf(error) });
    });
  });
}

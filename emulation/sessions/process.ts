// The process of one run: it gets the run's spec, says what came of it, and ends. A run that goes wrong, down to a
// crash, takes nobody with it; and what it has started ends with it.
import { setTimeout as sleep } from 'node:timers/promises';
import { lineOf } from '../../system/line-of.ts';
import { Closing } from '../../system/closing.ts';
import { runSession } from './run-session.ts';
import type { RunOutcome, RunSpec } from './run-spec.ts';

/** For what was just being started when the end came. */
const SETTLE_MS = 4000;

const closing = new Closing();
let running: Promise<unknown> = Promise.resolve();
let ending = false;

const finish = (outcome: RunOutcome) => {
  if (!ending) process.send?.(outcome, undefined, {}, () => process.exit(0));
};
async function giveUp(): Promise<void> {
  if (ending) return;
  ending = true;
  await closing.close();
  await Promise.race([running, sleep(SETTLE_MS)]);
  await closing.close();
  process.exit(1);
}
// Ctrl-C reaches every process of the terminal: the lab decides, and says so with SIGTERM, or by being no more.
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);
process.on('SIGTERM', () => void giveUp());
process.on('disconnect', () => void giveUp());
process.on('message', (spec) => {
  running = runSession(spec as RunSpec, closing).then(finish, (error: unknown) => {
    finish({ kind: 'failed', reason: lineOf(error) });
  });
});

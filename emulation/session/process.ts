// The process of one run: it gets the run's spec, says what came of it, and ends. A run that goes wrong, down to a
// crash, takes nobody with it; and what it leaves running ends with it.
import { lineOf } from '../../edge/local/start-errors.ts';
import { runSession } from './run-session.ts';
import type { RunOutcome, RunSpec } from './run-spec.ts';

const finish = (outcome: RunOutcome) => {
  process.send?.(outcome, undefined, {}, () => process.exit(0));
};
// Ctrl-C reaches every process of the terminal: the lab decides.
process.on('SIGINT', () => undefined);
process.on('message', (spec) => {
  runSession(spec as RunSpec).then(finish, (error: unknown) => {
    finish({ kind: 'failed', reason: lineOf(error) });
  });
});

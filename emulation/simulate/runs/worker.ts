import { lineOf } from '../../../system/line-of.ts';
import type { RunOutcome } from '../../runs/experiment.ts';
import { RunSimulator, type SimulatedSpec } from './simulate-run.ts';

/** A process that makes simulated runs, one after the other, until its parent lets go of it. */
export interface Question {
  readonly id: number;
  readonly spec: SimulatedSpec;
}

export interface Answer {
  readonly id: number;
  readonly outcome: RunOutcome;
}

const simulator = new RunSimulator();

async function answer({ id, spec }: Question): Promise<void> {
  const outcome = await simulator
    .make(spec)
    .catch((error: unknown): RunOutcome => ({ kind: 'failed', reason: lineOf(error) }));
  const said: Answer = { id, outcome };
  process.send?.(said);
}

process.on('message', (question) => void answer(question as Question));
// Ctrl-C is ignored here, since the parent handles it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());

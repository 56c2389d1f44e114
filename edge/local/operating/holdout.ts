import type { Experiment } from '../../../src/experiment/experiment.ts';
import { milliseconds } from '../../../src/units.ts';

/** The name of the holdout experiment in headers, metrics and stored sessions. */
export const HOLDOUT = 'holdout';

/**
 * Returns the holdout as an experiment without an end. The given share of sessions is in the control arm, whose
 * responses are not paced; all other sessions are treated. A larger share holds out a superset of the sessions, because
 * allocations are nested.
 */
export const holdoutExperiment = (share: number): Experiment => ({
  name: HOLDOUT,
  seed: HOLDOUT,
  design: { kind: 'ab', allocation: 1 - share },
  clusters: null,
  from: milliseconds(0),
  until: milliseconds(Infinity),
  arms: { control: { pacing: false }, treatment: {} },
});

/** Parses a share such as `5%` or `0.05`. Throws an Error that states the expected format. */
export function readHoldout(text: string): number {
  const share = Number(text.replace(/%$/, '')) / (text.endsWith('%') ? 100 : 1);
  if (!/^\d+(\.\d+)?%?$/.test(text) || share > 0.5)
    throw new Error(`--holdout is '${text}'; expected a share of sessions from 0% to 50%, such as 5%`);
  return share;
}

import type { Design } from '../../../src/experiment/experiment.ts';
import { milliseconds } from '../../../src/units.ts';
import { DAY_MS, HOUR_MS } from './arrivals.ts';

/** The two links. */
export const LINKS = ['north', 'south'] as const;

interface WorldDesign {
  readonly design: Design;
  /** The links on which the experiment runs. */
  readonly links: readonly (typeof LINKS)[number][];
}

const paired = (north: number, south: number): Design => ({ kind: 'paired', allocations: { north, south } });

export const DESIGNS = {
  /** Unbiased Experiments §4.2. */
  paired: { design: paired(0.95, 0.05), links: LINKS },
  ab: { design: { kind: 'ab', allocation: 0.5 }, links: ['north'] },
  /** A/A: nobody is treated. */
  aa: { design: paired(0, 0), links: LINKS },
  /** Everybody treated, compared with nobody treated, which is impossible in a real experiment. */
  truth: { design: paired(1, 0), links: LINKS },
  /** §5.2, by days. */
  switchback: {
    design: {
      kind: 'switchback',
      window: milliseconds(DAY_MS),
      washout: milliseconds(0),
      low: 0.05,
      high: 0.95,
    },
    links: ['north'],
  },
  /** Many windows in few days. Sessions last an hour at most, so all sessions of the window before end within the wash-out. */
  'switchback-hours': {
    design: {
      kind: 'switchback',
      window: milliseconds(4 * HOUR_MS),
      washout: milliseconds(HOUR_MS),
      low: 0.05,
      high: 0.95,
    },
    links: ['north'],
  },
} as const satisfies Record<string, WorldDesign>;
export type DesignName = keyof typeof DESIGNS;

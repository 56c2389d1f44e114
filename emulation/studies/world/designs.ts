import type { Design } from '../../../src/experiment/experiment.ts';
import { milliseconds } from '../../../src/units.ts';
import { DAY_MS, HOUR_MS } from './arrivals.ts';

export const LINKS = ['north', 'south'] as const;

interface WorldDesign {
  readonly design: Design;
  /** The links on which the experiment runs. */
  readonly links: readonly (typeof LINKS)[number][];
}

const paired = (north: number, south: number): Design => ({ kind: 'paired', allocations: { north, south } });

export const DESIGNS = {
  /** The paired links of Unbiased Experiments §4.2. */
  paired: { design: paired(0.95, 0.05), links: LINKS },
  ab: { design: { kind: 'ab', allocation: 0.5 }, links: ['north'] },
  /** An A/A test, in which nobody is treated. */
  aa: { design: paired(0, 0), links: LINKS },
  /**
   * All sessions treated on one link and none on the other, which shows the true effect. No real experiment can do
   * this.
   */
  truth: { design: paired(1, 0), links: LINKS },
  /** The switchback by days of §5.2. */
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
  /**
   * A switchback with many windows in a few days. Sessions last at most an hour, so all sessions of the previous window
   * end within the wash-out.
   */
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

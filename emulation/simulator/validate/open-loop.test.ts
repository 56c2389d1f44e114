import { describe, expect, it } from 'vitest';
import { armNamed } from '../../arms/index.ts';
import { idleRtt_ms } from '../../links/shell.ts';
import { ladderOf } from '../../../src/testing/session.ts';
import type { Film } from '../player/film.ts';
import { constantRate } from '../rates.ts';
import { simulateSession } from '../session.ts';
import { errorAt, replay } from './open-loop.ts';
import type { LabRun } from './lab-run.ts';

const RATES = [300, 1300, 3300];
const film: Film = {
  sidecar: {
    version: 1,
    segment_duration_s: Array<number>(40).fill(2),
    representations: Object.fromEntries(
      RATES.map((rate) => [`${rate}`, { segment_bytes: Array<number>(40).fill(rate * 250) }]),
    ),
  },
  ladders: { video: ladderOf(RATES) },
};

describe('replay', () => {
  it.each(['dashjs', 'sammy', 'sammy-smooth'])(
    'finds the download times of %s, which were simulated',
    (arm) => {
      const link = { rate: { kind: 'constant', mbps: 10 }, rtt_ms: 40, queue_bytes: 100_000 } as const;
      const { decisions } = simulateSession({
        arm: armNamed(arm),
        film,
        network: { capacity: constantRate(10), rtt_ms: idleRtt_ms(40), queue_bytes: 100_000 },
        seconds: 40,
      });
      const run = { record: {} as LabRun['record'], condition: undefined, link, decisions };
      const { downloads } = replay(run, film, constantRate(10), 'reno');
      expect(downloads.length).toBeGreaterThan(15);
      // The few packets of initialization segments are not among the decisions.
      expect(errorAt(downloads, 0.5)).toBeLessThan(1e-6);
      expect(errorAt(downloads, 0.9)).toBeLessThan(0.01);
    },
  );
});

import { describe, expect, it } from 'vitest';
import { armNamed } from '../../player/arms/index.ts';
import { idleRtt_ms } from '../../network/links/idle-rtt.ts';
import { createLadder } from '../../../src/testing/session.ts';
import type { Film } from '../../player/model/player/film.ts';
import { constantRate, scheduledRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from '../../player/model/session.ts';
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
  ladders: { video: createLadder(RATES) },
};

describe('replay', () => {
  it.each(['dashjs', 'sammy-paper', 'sammy-smooth'])(
    'reproduces the simulated download times of %s',
    (arm) => {
      const link = { rate: { kind: 'constant', mbps: 10 }, rtt_ms: 40, queue_bytes: 100_000 } as const;
      const { decisions } = simulateSession({
        arm: armNamed(arm),
        film,
        network: { capacity: constantRate(10), rtt_ms: idleRtt_ms(40), queue_bytes: 100_000 },
        seconds: 40,
      });
      const run = { record: {} as LabRun['record'], condition: undefined, link, decisions };
      const downloads = replay(run, film, constantRate(10), 'reno');
      expect(downloads.length).toBeGreaterThan(15);
      // The decisions do not contain the few packets of initialization segments, so the replayed network is slightly
      // less busy.
      expect(errorAt(downloads, 0.5)).toBeLessThan(1e-6);
      expect(errorAt(downloads, 0.9)).toBeLessThan(0.01);
    },
  );

  it("reproduces them on a trace, from the session's start position", () => {
    const capacity = scheduledRate([
      { seconds: 11, mbps: 2 },
      { seconds: 9, mbps: 6 },
      { seconds: 13, mbps: 1 },
    ]).shiftedTo(7_300);
    const { decisions } = simulateSession({
      arm: armNamed('sammy-paper'),
      film,
      network: { capacity, rtt_ms: idleRtt_ms(40), queue_bytes: 100_000 },
      seconds: 40,
    });
    const rate = { kind: 'trace', downlink: 'down', uplink: 'up' } as const;
    const link = { rate, rtt_ms: 40, queue_bytes: 100_000 };
    const record = { trace_at_ms: 7_300 } as LabRun['record'];
    const downloads = replay({ record, condition: undefined, link, decisions }, film, capacity, 'reno');
    expect(errorAt(downloads, 0.9)).toBeLessThan(0.01);
  });
});

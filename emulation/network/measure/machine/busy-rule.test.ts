import { expect, it } from 'vitest';
import { findBusyReason } from './busy-rule.ts';
import type { WatchedLoad } from './machine-watch.ts';

const quiet: WatchedLoad = {
  seconds: 60,
  busy_pct: 40,
  others_pct: 15,
  steal_pct: 1,
  steal_of_demand_pct: 2,
  pressure_ms_per_s: 100,
  run_queue_delay_ms_per_s: { edge: 5, link: 5, browser: 20, programs: null },
  canary: { samples: 6000, late_pct: 5, mean_ms: 0.1, longest_ms: 4 },
};
const judged = (session: Partial<WatchedLoad>, before: Partial<WatchedLoad> = {}) =>
  findBusyReason({ before: { ...quiet, ...before }, session: { ...quiet, ...session } });

it('keeps runs whose load is at the limits', () => {
  expect(judged({})).toBeUndefined();
});

it('excludes runs for other programs, for steal, and for waits before the session', () => {
  expect(judged({ others_pct: 15.06 })).toBe('other programs took 15.1% of the machine, more than 15%');
  expect(judged({ steal_of_demand_pct: 3 })).toBe('3.0% of the processor time was stolen, more than 2%');
  const canary = { samples: 200, late_pct: 6, mean_ms: 0.1, longest_ms: 4 };
  expect(judged({}, { canary })).toBe('6.0% of wake-ups before the session were late, more than 5%');
});

it("ignores the run's own load, which depends on the arm", () => {
  expect(
    judged({
      busy_pct: 100,
      steal_pct: 3,
      pressure_ms_per_s: 999,
      run_queue_delay_ms_per_s: { edge: 500, link: 500, browser: 5000, programs: 500 },
      canary: { samples: 6000, late_pct: 50, mean_ms: 5, longest_ms: 400 },
    }),
  ).toBeUndefined();
});

it('excludes nothing if the kernel does not provide a figure', () => {
  expect(judged({ steal_of_demand_pct: null, canary: null }, { canary: null })).toBeUndefined();
});

import { expect, it } from 'vitest';
import { constantRate, scheduledRate } from '../../../emulation/network/virtual/rounds/rates.ts';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import { latestSchedule, type Due } from './latest-schedule.ts';

const MB = 1_000_000;
/** 1 MB/s. */
const EIGHT = constantRate(8);
const rounded = (fetched: ReturnType<typeof latestSchedule>) =>
  fetched.map(({ from_ms, to_ms }) => [Math.round(from_ms), Math.round(to_ms)]);

it('stretches each download to its time, where the link is never the limit', () => {
  // By hand: 1 MB takes 1 s at least; it may take 2, 4 and 4 s.
  const segments = [2000, 6000, 10_000].map((due_ms): Due => ({ size_bytes: MB, due_ms, room_ms: 0 }));
  expect(rounded(latestSchedule(EIGHT, 0, segments))).toEqual([
    [0, 2000],
    [2000, 6000],
    [6000, 10_000],
  ]);
});

it('is early where a large segment or an outage follows', () => {
  // The last needs 5 s: it begins at 5 s, and the one before is there by then.
  const large = [
    { size_bytes: MB, due_ms: 8000, room_ms: 0 },
    { size_bytes: 5 * MB, due_ms: 10_000, room_ms: 0 },
  ];
  expect(rounded(latestSchedule(EIGHT, 0, large))).toEqual([
    [0, 5000],
    [5000, 10_000],
  ]);
  // Nothing is carried from 3 to 9 s: what plays at 8 and at 9 s is there at 2 and 3 s.
  const outage = scheduledRate([
    { seconds: 3, mbps: 8 },
    { seconds: 6, mbps: 0 },
    { seconds: 100, mbps: 8 },
  ]);
  const two = [8000, 9000].map((due_ms): Due => ({ size_bytes: MB, due_ms, room_ms: 0 }));
  const [first, second] = latestSchedule(outage, 0, two);
  expect(first?.to_ms).toBeCloseTo(2000, 1);
  expect(second?.from_ms).toBeCloseTo(2000, 1);
});

it('waits where the player has no room', () => {
  const segments = [
    { size_bytes: MB, due_ms: 2000, room_ms: 0 },
    { size_bytes: MB, due_ms: 9000, room_ms: 5000 },
  ];
  expect(rounded(latestSchedule(EIGHT, 0, segments))).toEqual([
    [0, 2000],
    [5000, 9000],
  ]);
});

it('says which segment nobody could have had in time', () => {
  const segments = [{ size_bytes: 3 * MB, due_ms: 2000, room_ms: 0 }];
  expect(() => latestSchedule(EIGHT, 0, segments)).toThrow(/segment 0 .* -1000 ms/);
});

it('is never idle for longer than any schedule that is in time', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 200; round++) {
    const link = scheduledRate(
      Array.from({ length: 10 }, () => ({ seconds: 0.5 + 2 * random(), mbps: 1 + 15 * random() })),
    );
    // Somebody fetches as fast as he can, with pauses, and plays a while later: what he did is one such schedule.
    const most_s = 4 + 10 * random();
    let [now_ms, idle_ms] = [0, 0];
    const taken = Array.from({ length: 8 }, (_, index) => {
      const room_ms = Math.max(0, 2000 * index - 1000 * most_s + 4000);
      const asked_ms = Math.max(now_ms, room_ms) + (random() < 0.3 ? 500 * random() : 0);
      idle_ms += asked_ms - now_ms;
      const size_bytes = 0.2 * MB * (0.5 + random());
      now_ms = link.timeToCarry(asked_ms, size_bytes);
      return { size_bytes, room_ms, there_ms: now_ms };
    });
    const delay_ms = Math.max(...taken.map(({ there_ms }, index) => there_ms - 2000 * index));
    const segments = taken.map(({ size_bytes, room_ms }, index) => ({
      ...{ size_bytes, room_ms },
      due_ms: delay_ms + 2000 * index,
    }));
    const planned = latestSchedule(link, 0, segments);
    const unused_ms = planned.reduce(
      (sum, { from_ms }, index) => sum + from_ms - (planned[index - 1]?.to_ms ?? 0),
      0,
    );
    expect(unused_ms).toBeLessThanOrEqual(idle_ms + 0.01);
    for (const [index, { from_ms, to_ms }] of planned.entries()) {
      const { size_bytes = 0, due_ms = 0, room_ms = 0 } = segments[index] ?? {};
      expect(link.bytesBetween(from_ms, to_ms)).toBeGreaterThan(size_bytes - 1);
      expect(to_ms).toBeLessThanOrEqual(due_ms);
      expect(from_ms).toBeGreaterThanOrEqual(room_ms);
    }
  }
});

import { expect, it } from 'vitest';
import type { PlaybackEvent } from '../records/play.ts';
import { summarizeStalls } from './summarize-stalls.ts';

const of = (...events: [PlaybackEvent['event'], number][]) =>
  summarizeStalls(events.map(([event, t_s]) => ({ event, t_s, buffer_s: 0 })));

it('sums finished stalls, and returns the start of the present one', () => {
  expect(of()).toEqual({ started: false, stalled_s: 0, dry_s: Infinity });
  expect(of(['playing', 1])).toEqual({ started: true, stalled_s: 0, dry_s: Infinity });
  const stalls = of(['playing', 1], ['waiting', 5], ['playing', 8], ['waiting', 20]);
  expect(stalls).toEqual({ started: true, stalled_s: 3, dry_s: 20 });
  // A browser also reports 'waiting' before playback begins.
  expect(of(['waiting', 0], ['playing', 1], ['waiting', 5]).stalled_s).toBe(0);
  // A wait that a seek of the viewer causes is not a stall.
  expect(of(['playing', 1], ['waiting', 5], ['seeking', 6], ['playing', 9]).stalled_s).toBe(0);
});

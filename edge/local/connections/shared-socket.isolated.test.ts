import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { kbps, milliseconds, type Kbps } from '../../../src/units.ts';
import { SharedSocket } from './shared-socket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function socket() {
  const paces: (Kbps | null)[] = [];
  const controls: (string | null)[] = [];
  const floors: (Kbps | null)[] = [];
  const state = { acknowledged: 0, works: true, takesMarks: true };
  const shared = new SharedSocket(
    {
      set: {
        pace: (pace) => {
          if (state.works) paces.push(pace);
          return state.works;
        },
        congestionControl: (name) => {
          if (name !== 'warp') controls.push(name);
          return name !== 'warp';
        },
        floor: (floor) => {
          if (state.takesMarks) floors.push(floor);
          return state.takesMarks;
        },
      },
      acknowledged: () => state.acknowledged,
    },
    milliseconds(120_000),
  );
  const begin = (pace: Kbps | null, congestionControl: string | null = null, floor: Kbps | null = null) =>
    shared.begin({ pace, congestionControl, floor });
  return { shared, begin, paces, controls, floors, state };
}

it('has the sum of two responses in flight, then the pace of the remaining one', () => {
  const { shared, begin, paces } = socket();
  const video = begin(kbps(9000));
  const audio = begin(kbps(500));
  shared.end(audio);
  shared.end(video);
  expect(paces).toEqual([9000, 9500, 9000]);
});

it('reports whether a response has kept its pace', () => {
  const { shared, begin } = socket();
  const kept = begin(kbps(9000));
  const changed = begin(kbps(500));
  shared.change(changed, { pace: kbps(600), congestionControl: null, floor: null });
  expect([kept.keptPace, changed.keptPace]).toEqual([true, false]);
  shared.end(changed);
  const page = begin(null);
  shared.end(page);
  // It was unpaced while the page was in flight.
  expect([kept.keptPace, page.keptPace]).toEqual([false, false]);
  shared.end(kept);
  const last = begin(kbps(9000));
  vi.advanceTimersByTime(119_999);
  expect(last.keptPace).toBe(true);
  vi.advanceTimersByTime(1);
  expect(last.keptPace).toBe(false);
});

it('is unpaced while a response without a pace is in flight', () => {
  const { shared, begin, paces } = socket();
  begin(kbps(9000));
  const page = begin(null);
  shared.end(page);
  expect(paces).toEqual([9000, null, 9000]);
});

it('releases the next response on an idle socket', () => {
  const { shared, begin, paces } = socket();
  shared.end(begin(kbps(9000)));
  begin(null);
  expect(paces).toEqual([9000, null]);
});

it('excludes a delivered response before its end is noticed', () => {
  const { shared, begin, paces, state } = socket();
  const first = begin(kbps(9000));
  first.deliveredAt = 1000;
  state.acknowledged = 999;
  begin(kbps(100));
  state.acknowledged = 1000;
  begin(kbps(200));
  shared.end(first);
  expect(paces).toEqual([9000, 9100, 300]);
});

it('ends a pace at its time limit', () => {
  const { shared, begin, paces } = socket();
  const slow = begin(kbps(100));
  vi.advanceTimersByTime(119_999);
  expect(paces).toEqual([100]);
  vi.advanceTimersByTime(1);
  expect(paces).toEqual([100, null]);
  shared.end(slow);
  shared.end(begin(kbps(500)));
  vi.advanceTimersByTime(120_000);
  expect(paces).toEqual([100, null, 500]);
});

it('reports that the socket cannot be paced', () => {
  const { shared, begin, state } = socket();
  state.works = false;
  expect(begin(kbps(9000)).wanted.pace).toBeNull();
  expect(shared.applied.pace).toBeNull();
});

it('has the congestion control of the responses that decide the pace, and sets it only when it changes', () => {
  const { shared, begin, controls } = socket();
  begin(null);
  begin(null);
  expect(controls).toEqual([]);
  const { begin: next, controls: set, shared: other } = socket();
  const video = next(kbps(9000), 'bbr');
  const audio = next(kbps(500), 'bbr');
  const page = next(null, 'cubic');
  const more = next(kbps(500), 'bbr');
  other.end(page);
  other.end(audio);
  other.end(more);
  other.end(video);
  next(null);
  expect(set).toEqual(['bbr', 'cubic', 'bbr', null]);
  expect(shared.applied.congestionControl).toBeNull();
});

it('keeps its congestion control if another is refused', () => {
  const { shared, begin, controls } = socket();
  shared.end(begin(kbps(9000), 'reno'));
  const refused = begin(kbps(9000), 'warp');
  expect(refused.wanted).toEqual({ pace: 9000, congestionControl: null, floor: null });
  expect(shared.applied).toEqual({ pace: 9000, congestionControl: 'reno', floor: null });
  shared.end(refused);
  begin(kbps(9000), 'reno');
  expect(controls).toEqual(['reno']);
});

it('has the sum of the floors, using the pace of a response without a floor', () => {
  const { shared, begin, floors, controls } = socket();
  const video = begin(kbps(9000), 'yield', kbps(4000));
  const audio = begin(kbps(9000), 'yield', kbps(300));
  const other = begin(kbps(500));
  shared.end(other);
  shared.end(audio);
  shared.end(video);
  expect(floors).toEqual([4000, 4300, 4800, 4300, 4000]);
  expect(controls).toEqual(['yield', null, 'yield']);
});

it('has no floor and does not yield while a response is unpaced', () => {
  const { begin, floors, controls } = socket();
  begin(kbps(9000), 'yield', kbps(4000));
  begin(null);
  expect(floors).toEqual([4000, null]);
  expect(controls).toEqual(['yield', null]);
});

it('does not yield if the floor is refused', () => {
  const { begin, controls, paces, state } = socket();
  state.takesMarks = false;
  expect(begin(kbps(9000), 'yield', kbps(4000)).wanted).toEqual({
    ...{ pace: 9000, congestionControl: null, floor: null },
  });
  expect({ controls, paces }).toEqual({ controls: [], paces: [9000] });
});

it('does not yield after the longest time for a pace', () => {
  const { begin, floors, controls, paces } = socket();
  begin(kbps(100), 'yield', kbps(100));
  vi.advanceTimersByTime(120_001);
  expect({ floors, controls, paces }).toEqual({
    ...{ floors: [100, null], controls: ['yield', null], paces: [100, null] },
  });
});

it('keeps its settings during a response without content', () => {
  const { shared, begin, paces, controls } = socket();
  begin(kbps(9000), 'yield', kbps(4000));
  shared.end(shared.pass());
  expect({ paces, controls }).toEqual({ paces: [9000], controls: ['yield'] });
});

it('changes a response in flight, but not one that has ended or is no longer paced', () => {
  const { shared, begin, paces } = socket();
  const wanted = { congestionControl: null, floor: null };
  const video = begin(kbps(9000));
  const audio = begin(kbps(500));
  expect(shared.change(video, { ...wanted, pace: kbps(20_000) })).toBe(true);
  shared.end(audio);
  expect(shared.change(audio, { ...wanted, pace: kbps(100) })).toBe(false);
  vi.advanceTimersByTime(120_001);
  expect(shared.change(video, { ...wanted, pace: kbps(100) })).toBe(false);
  expect(paces).toEqual([9000, 9500, 20_500, 20_000, null]);
});

it('restores a removed pace within the time limit', () => {
  const { shared, begin, paces } = socket();
  const change = (pace: Kbps | null) => shared.change(video, { pace, congestionControl: null, floor: null });
  const video = begin(kbps(9000));
  expect([change(null), change(kbps(9000)), change(null)]).toEqual([true, true, true]);
  vi.advanceTimersByTime(120_001);
  expect(change(kbps(9000))).toBe(false);
  expect(change(null)).toBe(false);
  const page = begin(null);
  expect(shared.change(page, { pace: kbps(100), congestionControl: null, floor: null })).toBe(false);
  expect(paces).toEqual([9000, null, 9000, null]);
});

it('has the server’s own congestion control if that of a change was refused', () => {
  const { shared, begin, controls } = socket();
  const video = begin(kbps(9000), 'reno');
  shared.change(video, { pace: kbps(9000), congestionControl: 'warp', floor: null });
  shared.end(begin(kbps(500), 'bbr'));
  expect(controls).toEqual(['reno', 'bbr', null]);
});

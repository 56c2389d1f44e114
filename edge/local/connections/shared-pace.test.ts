import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { kbps, milliseconds, type Kbps } from '../../../src/units.ts';
import { SharedPace } from './shared-pace.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function socket() {
  const paces: (Kbps | null)[] = [];
  const state = { acknowledged: 0, works: true };
  const shared = new SharedPace(
    {
      setPace: (pace) => {
        if (state.works) paces.push(pace);
        return state.works;
      },
      acknowledged: () => state.acknowledged,
    },
    milliseconds(120_000),
  );
  return { shared, paces, state };
}

it('has the sum while two are under way, then what is left', () => {
  const { shared, paces } = socket();
  const video = shared.begin(kbps(9000));
  const audio = shared.begin(kbps(500));
  shared.end(audio);
  shared.end(video);
  expect(paces).toEqual([9000, 9500, 9000]);
});

it('is unpaced while one without a pace is under way', () => {
  const { shared, paces } = socket();
  shared.begin(kbps(9000));
  const page = shared.begin(null);
  shared.end(page);
  expect(paces).toEqual([9000, null, 9000]);
});

it('releases the next response on an idle socket', () => {
  const { shared, paces } = socket();
  shared.end(shared.begin(kbps(9000)));
  shared.begin(null);
  expect(paces).toEqual([9000, null]);
});

it('does not count what the client has already, although its end was not noticed yet', () => {
  const { shared, paces, state } = socket();
  const first = shared.begin(kbps(9000));
  first.deliveredAt = 1000;
  state.acknowledged = 999;
  shared.begin(kbps(100));
  state.acknowledged = 1000;
  shared.begin(kbps(200));
  shared.end(first);
  expect(paces).toEqual([9000, 9100, 300]);
});

it('lets no pace outlive its limit', () => {
  const { shared, paces } = socket();
  const slow = shared.begin(kbps(100));
  vi.advanceTimersByTime(119_999);
  expect(paces).toEqual([100]);
  vi.advanceTimersByTime(1);
  expect(paces).toEqual([100, null]);
  shared.end(slow);
  shared.end(shared.begin(kbps(500)));
  vi.advanceTimersByTime(120_000);
  expect(paces).toEqual([100, null, 500]);
});

it('says so when the socket cannot be paced', () => {
  const { shared, state } = socket();
  state.works = false;
  expect(shared.begin(kbps(9000)).pace).toBeNull();
  expect(shared.applied).toBeNull();
});

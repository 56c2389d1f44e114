import { expect, it } from 'vitest';
import { topRung, type Rung } from '../film/ladder.ts';
import { createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { createLadder } from '../testing/session.ts';
import { kbps } from '../units.ts';
import { isReplacementWorthwhile } from './replacement.ts';

const state = createAbrState({ ladder: createLadder([300, 1000]), throughput: kbps(200) });
const [lowest] = state.ladder;
const top = topRung(state.ladder);
const pays = (rates: readonly number[], rung: Rung = top) =>
  isReplacementWorthwhile(
    { ...state, downloads: rates.map((rate) => createDownload(state, lowest, kbps(rate))) },
    rung,
  );

it('pays where each of the last three downloads had 1.5 times the top bitrate', () => {
  expect(pays([9000, 1500, 9000])).toBe(true);
  expect(pays([9000, 1499, 9000])).toBe(false);
  // After a slow minute, while the estimate is still low.
  expect(pays([200, 200, 1500, 1500, 1500])).toBe(true);
  expect(pays([200, 200, 200, 1500, 1500])).toBe(false);
});

it('goes by the first download where there is no other, and by nothing before', () => {
  expect(pays([1500])).toBe(true);
  expect(pays([])).toBe(false);
});

it('does not pay for a rung that would be replaced again', () => {
  expect(pays([9000], lowest)).toBe(false);
});

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

it('is worthwhile if each of the last three downloads had 1.5 times the top bitrate', () => {
  expect(pays([9000, 1500, 9000])).toBe(true);
  expect(pays([9000, 1499, 9000])).toBe(false);
  // After a slow minute, only the last three downloads count.
  expect(pays([200, 200, 1500, 1500, 1500])).toBe(true);
  expect(pays([200, 200, 200, 1500, 1500])).toBe(false);
});

it('uses the only download, and is not worthwhile before the first', () => {
  expect(pays([1500])).toBe(true);
  expect(pays([])).toBe(false);
});

it('is not worthwhile for a rung that might be replaced again', () => {
  expect(pays([9000], lowest)).toBe(false);
});

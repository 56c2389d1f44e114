import { describe, expect, it } from 'vitest';
import { ladderOf } from '../testing/session.ts';
import { ABR_OPTIONS, abrStateOf } from '../testing/abr-state.ts';
import { kbps, seconds } from '../units.ts';
import type { AbrState } from './abr.ts';
import { bba } from './bba.ts';

/**
 * The paper's buffer of 240 s, with segments of 4 s: reservoir 90 s, top rate from 216 s on (Huang et al. §4). What
 * is filled up to is one segment more. From 235 to 5000 kbit/s, its Netflix ladder's ends.
 */
const [reservoir, cushion] = [90, 126];
const ladder = ladderOf([235, 375, 560, 750, 1050, 1750, 2350, 3000, 3850, 5000]);
const stateOf = (buffer: number, previous_kbps?: number, given: Partial<AbrState> = {}): AbrState =>
  abrStateOf({
    ladder,
    buffer: seconds(buffer),
    bufferTarget: seconds(244),
    segmentDuration: seconds(4),
    previous: ladder.find(({ bitrate_kbps }) => bitrate_kbps === previous_kbps),
    ...given,
  });
const session = bba().session(ABR_OPTIONS);
const rateOf = (state: AbrState) => session.choose(state).rung.bitrate_kbps;
/** The buffer at which the linear rate map is `rate`. */
const bufferAt = (rate: number) => reservoir + (cushion * (rate - 235)) / (5000 - 235);

describe('bba, Algorithm 1 of the paper', () => {
  it.each([
    ['in the reservoir takes the lowest rate', 90, 3000, 235],
    ['above the cushion takes the highest', 216, 235, 5000],
    ['stays while f(B) is between the next rates', bufferAt(1700), 1050, 1050],
    ['stays at f(B) just above the next lower rate', bufferAt(760), 1050, 1050],
    [
      'goes up to the highest rate below f(B) once that has come to the next higher one',
      bufferAt(2400),
      1050,
      2350,
    ],
    [
      'goes down to the lowest rate above f(B) once that has come to the next lower one',
      bufferAt(600),
      1050,
      750,
    ],
    ['begins with the lowest', 0, undefined, 235],
  ])('%s', (_, buffer, previous, expected) => {
    expect(rateOf(stateOf(buffer, previous))).toBe(expected);
  });

  it('does not ask for the throughput', () => {
    for (const throughput of [0, 1e6]) {
      expect(rateOf(stateOf(bufferAt(1700), 1050, { throughput: kbps(throughput) }))).toBe(1050);
    }
  });

  it('needs any throughput for what it picks, and has none for what is higher', () => {
    const state = stateOf(bufferAt(1700), 1050);
    const required = ladder.map((rung) => session.requiredThroughput(state, rung));
    expect(required).toEqual([0, 0, 0, 0, 0, ...Array<number>(5).fill(Infinity)]);
  });

  it('stays at what is left where the ladder has lost its rung', () => {
    const state = stateOf(bufferAt(1700), 1050, { ladder: ladderOf([235, 750, 5000]) });
    expect(rateOf({ ...state, previous: { id: 'gone', bitrate_kbps: kbps(1050) } })).toBe(750);
  });

  it('can get to the top in a buffer of one segment', () => {
    expect(rateOf(stateOf(4, 235, { bufferTarget: seconds(4) }))).toBe(5000);
  });
});

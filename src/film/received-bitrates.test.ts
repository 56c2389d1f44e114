import { describe, expect, it } from 'vitest';
import { seconds } from '../units.ts';
import { BITRATES_KBPS, createLadder } from '../testing/session.ts';
import { ReceivedBitrates } from './received-bitrates.ts';

/**
 * Returns the corrected bitrates of a ladder after segments of 2 s, each with its rung and the ratio of received to
 * expected size.
 */
const after = (
  nominal: readonly number[],
  received: readonly (readonly [id: string, ratio: number])[],
  duration_s = 2,
): number[] => {
  const bitrates = new ReceivedBitrates();
  for (const [id, ratio] of received) bitrates.add(id, ratio, seconds(duration_s));
  return bitrates.correctLadder(createLadder(nominal)).map(({ bitrate_kbps }) => Math.round(bitrate_kbps));
};

describe('bitrates that a manifest understates', () => {
  it.each([
    ['nothing was received', {}, BITRATES_KBPS],
    ['it was right', { 700: 1 }, BITRATES_KBPS],
    ['scenes are a little larger', { 700: 1.19 }, BITRATES_KBPS],
    ['scenes are quiet', { 700: 0.5 }, BITRATES_KBPS],
    ['all are five times as much', { 700: 5 }, [1500, 3500, 7500, 11_500, 16_500]],
    ['another one was right', { 700: 5, 3300: 1 }, [300, 1500, 2300, 3300]],
    ['one costs more than a better one', { 1500: 2, 2300: 1 }, [300, 700, 2300, 3300]],
  ])('are corrected if %s', (_, received, bitrates_kbps) => {
    expect(after(BITRATES_KBPS, Object.entries(received))).toEqual(bitrates_kbps);
  });

  it('are corrected if kbit/s were written as bit/s', () => {
    expect(
      after(
        BITRATES_KBPS.map((rate) => rate / 1000),
        [['0.7', 1000]],
      ),
    ).toEqual(BITRATES_KBPS);
  });

  it('do not make the rungs above a wrong rung unreachable', () => {
    // The lowest rung has 300 kbit/s, 1000 times the stated bitrate. The next rung is raised to at most 4 * 300 kbit/s.
    const [lowest, next = NaN] = after([0.3, 700, 1500], [['0.3', 1000]]);
    expect(lowest).toBe(300);
    expect(next).toBe(1200);
  });

  it('are averages, because scenes differ', () => {
    const bitrates = new ReceivedBitrates();
    const [rung] = createLadder([1000]);
    for (const ratio of [1, 3]) bitrates.add(rung.id, ratio, seconds(2));
    expect(bitrates.correctRung(rung).bitrate_kbps).toBe(1400);
  });
});

describe('bitrates that a manifest overstates', () => {
  const received = (ratios: readonly number[], id = '300') => ratios.map((ratio) => [id, ratio] as const);

  it.each([
    ['a quiet intro is no more than that', received([0.1, 0.1, 0.1, 0.1, 0.1]), BITRATES_KBPS],
    ['quiet scenes are half as large', received(Array<number>(20).fill(0.5)), BITRATES_KBPS],
    ['one scene has what was said', received([...Array<number>(20).fill(0.1), 1]), BITRATES_KBPS],
    // All bitrates are multiplied by 0.4, twice the largest ratio.
    ['none has', received([...Array<number>(19).fill(0.1), 0.2]), [120, 280, 600, 920, 1320]],
  ])('are corrected after 20 s if %s', (_, sizes, bitrates_kbps) => {
    expect(after(BITRATES_KBPS, sizes)).toEqual(bitrates_kbps);
  });

  it('are corrected if bytes were written as bits, and for larger errors', () => {
    const nominal = BITRATES_KBPS.map((rate) => rate * 1000);
    expect(after(nominal, received([0.001, 0.001], '300000'), 12)).toEqual(
      BITRATES_KBPS.map((rate) => 2 * rate),
    );
  });

  it('are assumed to be as wrong as the least wrong rung if not received', () => {
    // The rung of 700 is correct, so the higher rungs are trusted, and the rung of 300 keeps its correction.
    expect(after(BITRATES_KBPS, [...received([0.1, 0.1]), ['700', 0.5]], 12)).toEqual([
      60, 700, 1500, 2300, 3300,
    ]);
  });
});

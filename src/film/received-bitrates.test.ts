import { describe, expect, it } from 'vitest';
import { BITRATES_KBPS, ladderOf } from '../testing/session.ts';
import { ReceivedBitrates } from './received-bitrates.ts';

/** The bitrates of a ladder, of which rungs have been received with so many times the size that was expected. */
const after = (nominal: readonly number[], received: Readonly<Record<string, number>>): number[] => {
  const bitrates = new ReceivedBitrates();
  for (const [id, ratio] of Object.entries(received)) bitrates.add(id, ratio);
  return bitrates.ladderOf(ladderOf(nominal)).map(({ bitrate_kbps }) => Math.round(bitrate_kbps));
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
  ])('are corrected where %s', (_, received, bitrates_kbps) => {
    expect(after(BITRATES_KBPS, received)).toEqual(bitrates_kbps);
  });

  it('are corrected where kbit/s were written as bit/s', () => {
    expect(
      after(
        BITRATES_KBPS.map((rate) => rate / 1000),
        { 0.7: 1000 },
      ),
    ).toEqual(BITRATES_KBPS);
  });

  it('do not make unreachable what one wrong rung is below', () => {
    // 0.3 is 300 in truth, and the others are right: they are at most four times as far apart.
    const [lowest, next = NaN] = after([0.3, 700, 1500], { 0.3: 1000 });
    expect(lowest).toBe(300);
    expect(next).toBe(1200);
  });

  it('are averages, since scenes differ', () => {
    const bitrates = new ReceivedBitrates();
    const [rung] = ladderOf([1000]);
    for (const ratio of [1, 3]) bitrates.add(rung.id, ratio);
    expect(bitrates.corrected(rung).bitrate_kbps).toBe(1400);
  });
});

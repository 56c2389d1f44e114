import { describe, expect, it } from 'vitest';
import {
  chooseReplacementRung as abandonForLadder,
  timeUntilAbandonment,
  type Progress,
  type SegmentRole,
} from './abandon.ts';
import type { AbrState } from '../abr/abr.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { createAbrState } from '../testing/abr-state.ts';
import { bytes, transferSize, kbps, seconds, transferTime } from '../units.ts';

const low = { id: 'low', bitrate_kbps: kbps(300) };
const middle = { id: 'middle', bitrate_kbps: kbps(1200) };
const top = { id: 'top', bitrate_kbps: kbps(3000) };
const ladder: Ladder = [low, middle, top];
const createState = (buffer: number, given: Partial<AbrState> = {}): AbrState =>
  createAbrState({ ladder, buffer: seconds(buffer), ...given });
/** The progress of a download of 750,000 bytes, which is 2 s of the top rung. */
const progress = (loaded: number, elapsed: number, total = 750_000): Progress => ({
  loaded: bytes(loaded),
  total: bytes(total),
  elapsed: seconds(elapsed),
});

const playing: SegmentRole = { replacement: false, initial: false, duration: seconds(2) };

const abandonFor = (state: AbrState, current: Rung, given: Progress, stake: SegmentRole) =>
  abandonForLadder(state, current, () => state.ladder, state.sizes, given, stake);

describe('abandonFor', () => {
  it('does not read the ladder while a download is too young, reaches its pace, or is in time', () => {
    const unasked = () => expect.fail('the player was asked for its ladder');
    const given = [
      [createState(0), progress(75_000, 0.4)],
      [createState(0), { ...progress(75_000, 1), pace: kbps(750) }],
      [createState(8.5), progress(75_000, 1)],
    ] as const;
    for (const [state, each] of given)
      expect(abandonForLadder(state, top, unasked, undefined, each, playing)).toBeUndefined();
  });

  it('continues a download without a ladder', () => {
    const none = () => undefined;
    const slow = progress(75_000, 1);
    expect(abandonForLadder(createState(0), top, none, undefined, slow, playing)).toBeUndefined();
  });

  it('continues a download that is in time or hardly late: 5400 kbit at 600 kbit/s take 9 s, with a tolerance of half a second', () => {
    expect(abandonFor(createState(8.5), top, progress(75_000, 1), playing)).toBeUndefined();
  });

  it('chooses the highest rung that arrives sooner: 2400 kbit at 0.8 * 600 kbit/s take 5 s', () => {
    expect(abandonFor(createState(8.4), top, progress(75_000, 1), playing)).toEqual(middle);
  });

  it('continues a download that reaches its pace: 600 kbit/s are 0.8 of 750', () => {
    const paced = (pace: number) => ({ ...progress(75_000, 1), pace: kbps(pace) });
    expect(abandonFor(createState(1), top, paced(750), playing)).toBeUndefined();
    expect(abandonFor(createState(8.4), top, paced(760), playing)).toEqual(middle);
  });

  it('chooses a lower rung if needed', () => {
    // At 1200 kbit/s, the remainder takes 2 s. At 0.8 of this rate, the middle rung's 2400 kbit would take 2.5 s, and
    // the low rung's 600 kbit 0.6 s.
    expect(abandonFor(createState(1), top, progress(450_000, 3), playing)).toEqual(low);
  });

  it('continues a download if no other rung would arrive sooner', () => {
    // At 1600 kbit/s, the remainder takes 0.25 s. The low rung would take 600 / (0.8 * 1600) = 0.47 s.
    expect(abandonFor(createState(0.1), top, progress(700_000, 3.5), playing)).toBeUndefined();
  });

  it('continues a download of the lowest rung', () => {
    expect(abandonFor(createState(0), low, progress(7500, 1, 75_000), playing)).toBeUndefined();
    expect(
      abandonFor({ ...createState(0), ladder: [top] }, top, progress(75_000, 1), playing),
    ).toBeUndefined();
  });

  it('halves the time of the buffer at double speed', () => {
    expect(abandonFor(createState(10), top, progress(75_000, 1), playing)).toBeUndefined();
    expect(abandonFor(createState(10, { playbackRate: 2 }), top, progress(75_000, 1), playing)).toEqual(
      middle,
    );
  });

  it('uses actual sizes if known', () => {
    // The middle rung's segment is as large as the top rung's. At 0.8 * 600 kbit/s it would take 12.5 s, not 5 s.
    const sizes = sizesFromLists(
      [seconds(2)],
      new Map([
        ['low', [bytes(75_000)]],
        ['middle', [bytes(750_000)]],
      ]),
    );
    expect(abandonFor(createState(1, { sizes }), top, progress(75_000, 1), playing)).toEqual(low);
  });

  it.each([
    ['in the first half second', progress(75_000, 0.49)],
    ['before the first byte', progress(0, 5)],
    ['of unknown length', progress(75_000, 5, Number.NaN)],
    ['of length 0', progress(75_000, 5, 0)],
    ['that is complete', progress(750_000, 5)],
  ])('does not judge a download %s', (_, given) => {
    expect(abandonFor(createState(0), top, given, playing)).toBeUndefined();
  });

  it('never abandons the replacement of a buffered segment', () => {
    expect(
      abandonFor(createState(1), top, progress(75_000, 1), { ...playing, replacement: true }),
    ).toBeUndefined();
  });

  describe('on a network that has collapsed', () => {
    /**
     * The progress `after` seconds of a download with 8 Mbit/s expected, when the link has dropped to 0.3 Mbit/s at its
     * start.
     */
    const collapsed = (after: number, given: Partial<Progress> = {}): Progress => ({
      ...progress(transferSize(kbps(300), seconds(after)), after),
      expectedThroughput: kbps(8000),
      ...given,
    });

    it('abandons a download that is in time but takes 21.5 s of 27.9 s', () => {
      const segment = bytes(805_861);
      expect(transferTime(segment, kbps(300))).toBeCloseTo(21.5, 1);
      // After 5 s, a fifth of the buffer, 1500 of 6447 kbit have arrived. The remainder takes 16.5 s of 22.9 s.
      const after5 = collapsed(5, { total: segment });
      expect(abandonFor(createState(22.9), top, after5, playing)).toEqual(low);
      // Without an expected throughput, there is no collapse.
      expect(
        abandonFor(createState(22.9), top, { ...after5, expectedThroughput: null }, playing),
      ).toBeUndefined();
    });

    it('waits for a fifth of the buffer level and for a second, because slow periods are often short', () => {
      expect(abandonFor(createState(27.9 - 4.6), top, collapsed(4.6), playing)).toBeUndefined();
      expect(abandonFor(createState(27.9 - 4.7), top, collapsed(4.7), playing)).toEqual(low);
      // The remaining 1500 kbit take 5 s, less than 4.9 s plus the tolerance of 0.5 s. The middle rung takes 720 / (0.8
      // * 300) = 3 s, less than the acceptable 1.8 * 2 s.
      const short = (after: number) => collapsed(after, { total: bytes(225_000) });
      expect(abandonFor(createState(4.9), top, short(0.99), playing)).toBeUndefined();
      expect(abandonFor(createState(4.9), top, short(1), playing)).toEqual(middle);
    });

    it('continues a download with a fifth of the expected throughput or of its pace', () => {
      const at = (expected: number, pace?: number) =>
        abandonFor(
          createState(22.4),
          top,
          collapsed(5.5, {
            expectedThroughput: kbps(expected),
            pace: pace === undefined ? null : kbps(pace),
          }),
          playing,
        );
      expect(at(1501)).toEqual(low);
      expect(at(1500)).toBeUndefined();
      expect(at(8000, 1501)).toEqual(low);
      expect(at(8000, 1500)).toBeUndefined();
    });

    it('continues a download whose remainder takes three tenths of the buffer, or 1.8 segments', () => {
      // At 300 kbit/s, 2010 kbit take 6.7 s of 22.4 s, and 1080 kbit take 3.6 s.
      const with_ = (rest_kbit: number, buffer: number, after: number) =>
        abandonFor(
          createState(buffer),
          top,
          collapsed(after, {
            total: bytes((rest_kbit / 8) * 1000 + transferSize(kbps(300), seconds(after))),
          }),
          playing,
        );
      expect(with_(2020, 22.4, 5.5)).toEqual(low);
      expect(with_(2010, 22.4, 5.5)).toBeUndefined();
      expect(with_(1090, 8, 1.7)).toEqual(low);
      expect(with_(1075, 8, 1.7)).toBeUndefined();
    });

    it('chooses the highest rung that leaves enough of the buffer', () => {
      // At 600 kbit/s, the middle rung takes 2400 / (0.8 * 600) = 5 s. Three tenths of 22.4 s, 6.7 s, are allowed.
      const faster = {
        ...progress(transferSize(kbps(600), seconds(5.5)), 5.5, 3_000_000),
        expectedThroughput: kbps(8000),
      };
      expect(abandonFor(createState(22.4), { ...top, bitrate_kbps: kbps(12_000) }, faster, playing)).toEqual(
        middle,
      );
    });
  });

  describe('before playback', () => {
    const initial: SegmentRole = { ...playing, initial: true };

    it('allows 3.6 s in total for a first segment of 2 s', () => {
      // At 1875 kbit/s, 6000 kbit take 3.2 s.
      expect(abandonFor(createState(0), top, progress(234_375, 1), initial)).toBeUndefined();
      // At 1600 kbit/s, 6000 kbit take 3.75 s, of which 2.75 s are left. The middle rung takes 2400 / (0.8 * 1600) =
      // 1.875 s, less than 0.7 * 2.75 s.
      expect(abandonFor(createState(0), top, progress(200_000, 1), initial)).toEqual(middle);
    });

    it('chooses a rung that arrives as fast as it plays', () => {
      // At 600 kbit/s, 9 s are left. The middle rung takes 2400 / (0.8 * 600) = 5 s, and the low rung 1.25 s.
      expect(abandonFor(createState(0), top, progress(75_000, 1), initial)).toEqual(low);
      // At 200 kbit/s, no rung does, and 29 s are left. The low rung takes 3.75 s.
      expect(abandonFor(createState(0), top, progress(25_000, 1), initial)).toEqual(low);
    });

    it('continues if the low rung would arrive hardly sooner', () => {
      // After 3 s at 632 kbit/s, the rest of the 2400 kbit takes 0.8 s, more than the 1.8 * 2 - 3 = 0.6 s that are
      // allowed. The low rung takes 600 / (0.8 * 632) = 1.2 s.
      expect(abandonFor(createState(0), middle, progress(236_842, 3, 300_000), initial)).toBeUndefined();
    });
  });
});

describe('timeUntilAbandonment', () => {
  it('is the time until the remainder would be too late if no more data arrived', () => {
    // A third has arrived in 1 s, so the remainder takes twice the elapsed time: 2 * (1 + t) after t more seconds. With
    // 2 s buffered and a tolerance of a quarter of a 2 s segment, 2.5 - t are left: t = 0.5 / 3.
    expect(timeUntilAbandonment(createState(2), progress(250_000, 1), playing)).toBeCloseTo(0.5 / 3, 9);
  });

  it('is a time for which no download is abandoned, whatever arrives in the meantime', () => {
    let seed = 1;
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    let given = 0;
    for (let round = 0; round < 20_000; round++) {
      const [elapsed, buffer] = [3 * random(), 20 * random()];
      const loaded = 700_000 * random();
      const expected = random() < 0.3 ? null : kbps(50_000 * random());
      const pace = random() < 0.5 ? null : kbps(20_000 * random());
      const so = (bytes_: number, s: number) => ({
        ...progress(bytes_, s),
        expectedThroughput: expected,
        pace,
      });
      const stake = { ...playing, initial: random() < 0.3 };
      const safe = timeUntilAbandonment(createState(buffer), so(loaded, elapsed), stake);
      const later = (after: number, more: number) =>
        abandonFor(
          createState(Math.max(0, buffer - after)),
          top,
          so(Math.min(750_000, loaded + more), elapsed + after),
          stake,
        );
      if (safe > 0) expect(later(safe * random() * (1 - 1e-9), 50_000 * random())).toBeUndefined();
      if (later(safe + 0.01, 0)) given += 1;
    }
    // The time is not much too short: in over a quarter of the rounds, the download is abandoned 0.01 s later.
    expect(given).toBeGreaterThan(5000);
  });
});

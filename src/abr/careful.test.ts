import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topRung } from '../film/ladder.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { createLadder } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';
import type { AbrState } from './abr.ts';
import { careful } from './careful.ts';
import { hyb } from './hyb.ts';
import { harmonicMean } from './predict.ts';

const ladder = createLadder([300, 1000, 3000]);
const [low, middle, top] = ladder;
if (!middle || !top) throw new Error('no ladder');

const createState = (
  buffer: number,
  samples_kbps: readonly number[],
  given: Partial<AbrState> = {},
): AbrState => {
  const state = createAbrState({ ladder, segmentDuration: seconds(2), buffer: seconds(buffer), ...given });
  return { ...state, downloads: samples_kbps.map((sample) => createDownload(state, low, kbps(sample))) };
};
const session = careful().session(ABR_OPTIONS);

describe('the reserve', () => {
  const required = (buffer: number, downloads: number, previous = top) => {
    const samples = Array<number>(downloads).fill(1e6);
    return session.requiredThroughput(createState(buffer, samples, { previous }), top);
  };

  it('is 0.45 * 0.6 of 12 s received in six downloads: 3.24 of 8 s buffered, so 30,000 / (4.76 + 10) is required', () => {
    expect(required(8, 6)).toBeCloseTo(30_000 / 14.76, 6);
  });

  it('uses a share of 0.55 for a switch up: 3.96 of 8 s, which requires 1.2 times 30,000 / (4.04 + 10)', () => {
    expect(required(8, 6, middle)).toBeCloseTo((1.2 * 30_000) / 14.04, 6);
  });

  it('is 0 at startup, as with HYB: 3000 * 10 / (8 + 8) is required before the last segment arrives', () => {
    expect(required(8, 0)).toBeCloseTo(1875, 6);
    const state = createState(8, [], { previous: top });
    expect(hyb().session(ABR_OPTIONS).requiredThroughput(state, top)).toBeCloseTo(1875, 6);
  });

  it('is at most the same share of the buffer target of 18 s', () => {
    // 0.45 * 18 = 8.1 of 12 s are kept, so 3000 * 10 / (3.9 + 10) is required. For a switch up, 0.55 * 18 = 9.9 s are
    // kept.
    expect(required(12, 10)).toBeCloseTo(30_000 / 13.9, 6);
    expect(required(12, 10, middle)).toBeCloseTo((1.2 * 30_000) / 12.1, 6);
  });
});

describe('with a buffer target above 30 s', () => {
  const long = { bufferTarget: seconds(100), previous: top };
  /** The state after `count` downloads at 1 Gbit/s. */
  const after = (count: number, buffer: number, given: Partial<AbrState> = {}) =>
    session.requiredThroughput(
      createState(buffer, Array<number>(count).fill(1e6), { ...long, ...given }),
      top,
    );

  it('is a share of 60 s in reserve after ten downloads, instead of 20 s received in them', () => {
    // 0.45 * 60 = 27 of 32 s are kept, so 30,000 / (5 + 10) is required; with the target of 30 s, 9 of 32 s are kept.
    expect(after(10, 32)).toBeCloseTo(2000, 6);
    expect(after(10, 32, { bufferTarget: seconds(30) })).toBeCloseTo(30_000 / (23 + 10), 6);
    // Before, the reserve of 7.29 s requires less than one segment of 6000 kbit in a fifth of the buffer.
    expect(after(9, 32)).toBeCloseTo(6000 / 6.4, 6);
  });

  it('is a share of the whole target if that is shorter', () => {
    expect(after(10, 32, { bufferTarget: seconds(40) })).toBeCloseTo(30_000 / (32 - 18 + 10), 6);
  });

  it('allows the next segment a fifth of the buffer instead of three eighths', () => {
    // One of the latest downloads took 4 s at 300 kbit/s. If that recurs, 6000 kbit must arrive in 0.2 * 40 = 8 s: 12 s
    // at 210 kbit/s are longer, so 210 kbit/s would have to be enough.
    const state = createState(40, [6000, 6000, 300, 6000], long);
    const downloads = state.downloads.map((download) =>
      download.achieved_kbps === 300 ? { ...download, download_ms: 4000 } : download,
    );
    const relative = 210 / (24_000 / 23);
    expect(session.requiredThroughput({ ...state, downloads }, top)).toBeCloseTo(6000 / 8 / relative, 6);
  });

  it('does not allow twice its duration at the start', () => {
    // 6000 kbit must arrive in 2 s at all of the download's rate.
    const state = createState(4, [300, 300], { ...long, throughput: kbps(300) });
    expect(session.requiredThroughput(state, top)).toBeCloseTo(3000, 6);
  });
});

describe('one of the last five downloads', () => {
  const required = (state: AbrState) => session.requiredThroughput(state, top);
  /** The state after three downloads at 6000 kbit/s and one at 300 kbit/s, which took `took` seconds. */
  const afterFade = (buffer: number, took: number, given: Partial<AbrState> = {}) => {
    const state = createState(buffer, [6000, 6000, 300, 6000], { previous: top, ...given });
    const downloads = state.downloads.map((download) =>
      download.achieved_kbps === 300 ? { ...download, download_ms: 1000 * took } : download,
    );
    return { ...state, downloads };
  };

  it('may recur at 0.7 of its rate: 6000 kbit in three eighths of 16 s are 1000 kbit/s', () => {
    // The prediction is the harmonic mean, 1043.5 kbit/s. The slow period lasts 3 * 4 s, longer than the allowed 6 s,
    // so the whole segment must arrive at 0.7 * 300 = 210 kbit/s.
    const state = afterFade(16, 4);
    expect(harmonicMean(state)).toBeCloseTo(24_000 / 23, 6);
    expect(required(state)).toBeCloseTo((1000 * 24_000) / 23 / 210, 6);
  });

  it('may recur at its full rate if the first downloads are alike, and at 0.7 of its rate from the tenth on', () => {
    const alike = (count: number, buffer: number) => {
      const state = createState(buffer, Array<number>(count).fill(300), {
        previous: top,
        throughput: kbps(300),
      });
      return { ...state, downloads: state.downloads.map((download) => ({ ...download, download_ms: 4000 })) };
    };
    // 9 downloads: the reserve of 0.45 * 0.9 * 18 = 7.29 s exceeds the buffer, so 30,000 kbit must arrive in 10 s.
    expect(required(alike(9, 7))).toBeCloseTo(3000, 6);
    // 10 downloads: 6000 kbit may take 0.375 * 7 = 2.625 s.
    expect(required(alike(10, 7))).toBeCloseTo(6000 / (0.7 * 2.625), 6);
    expect(required(alike(9, 5))).toBeCloseTo(3000, 6);
    expect(required(alike(10, 5))).toBeCloseTo(3000 / 0.7, 6); // 6000 kbit in the segment's own 2 s
  });

  it('lets the next segment take twice its duration while none of the first ten was much slower', () => {
    const two = (...samples: number[]) =>
      required(createState(4, samples, { previous: top, throughput: kbps(300) }));
    // For 6000 kbit in 4 s, 1500 kbit/s suffice. HYB itself requires more: 5 * 6000 kbit in 4 + 8 s are 2500 kbit/s.
    expect(two(300, 300)).toBeCloseTo(2500, 6);
    // 200 is less than 0.7 of 300, so 6000 kbit must arrive in 2 s, at 0.7 of two thirds of the prediction.
    expect(two(300, 200)).toBeCloseTo(3000 / (0.7 * (2 / 3)), 6);
  });

  it('may recur for three times its duration, followed by the predicted throughput', () => {
    // The slow period takes 3 * 1 s of the 6 s, so 6000 kbit must arrive in the other 3 s, without counting what
    // arrives before.
    expect(required(afterFade(16, 1))).toBeCloseTo(2000, 6);
    // After a slow period of 3 * 0.25 s, 6000 / (6 - 0.75) = 1143 kbit/s suffice. HYB itself requires more: 30,000 kbit
    // in 16 + 10 s at 0.9 of the throughput.
    expect(required(afterFade(16, 0.25))).toBeCloseTo(30_000 / (0.9 * 26), 6);
  });

  it('does not count after five other downloads', () => {
    const state = afterFade(16, 4);
    const [fast] = state.downloads;
    if (!fast) throw new Error('no download');
    const later = (count: number) => ({
      ...state,
      downloads: [...state.downloads, ...Array<typeof fast>(count).fill(fast)],
    });
    // One other download is already in the state.
    expect(required(later(3))).toBeGreaterThan(2000);
    expect(required(later(4))).toBeLessThan(2000);
  });

  it('requires the margin of a switch up, too', () => {
    expect(required(afterFade(16, 1, { previous: middle }))).toBeCloseTo(1.2 * 2000, 6);
  });

  it('allows the duration of the segment, 2 s, with 4 s buffered', () => {
    // The slow period takes 3 * 1/3 = 1 s of the allowed 2 s.
    expect(required(afterFade(4, 1 / 3))).toBeCloseTo(6000, 6);
  });

  it('allows half the time at double speed: 6 s of content play in 3 s', () => {
    expect(required(afterFade(16, 0.5, { playbackRate: 2 }))).toBeCloseTo(4000, 6);
  });

  it('treats a pace-limited download as being as fast as the estimate', () => {
    const state = createState(16, [], { previous: middle, throughput: kbps(8000) });
    const downloads = [3000, 3000].map((pace) => ({
      ...createDownload(state, low, kbps(pace)),
      pace_limited: true,
    }));
    expect(required({ ...state, downloads })).toBeCloseTo((1.2 * 30_000) / (0.8 * 26), 6);
  });
});

it('predicts the estimate or the harmonic mean, whichever is higher', () => {
  // With 10 s buffered, a switch up to the top rung requires 1.2 * 30,000 / (0.8 * 20) = 2250 kbit/s, and one to the
  // middle rung 750 kbit/s. The reserve of 2.75 s requires less.
  const taken = (throughput: number, sample: number) =>
    session.choose(
      createState(10, [sample, sample, sample, sample, sample], {
        previous: low,
        throughput: kbps(throughput),
      }),
    ).rung;
  expect(taken(8000, 8000)).toBe(top);
  expect(taken(1000, 8000)).toBe(top);
  expect(taken(1000, 1000)).toBe(middle);
});

it('chooses at least a rung exactly if the predicted throughput reaches its required throughput', () => {
  const samples = fc.array(fc.double({ min: 50, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(
      samples,
      fc.double({ min: 0.1, max: 30, noNaN: true }),
      fc.option(fc.nat(2), { nil: undefined }),
      (samples_kbps, buffer, previous) => {
        const state = createState(buffer, samples_kbps, {
          previous: previous === undefined ? undefined : ladder[previous],
        });
        const { rung } = session.choose(state);
        for (const candidate of [middle, topRung(ladder)])
          expect(rung.bitrate_kbps >= candidate.bitrate_kbps).toBe(
            Math.max(state.throughput, harmonicMean(state)) >= session.requiredThroughput(state, candidate),
          );
      },
    ),
  );
});

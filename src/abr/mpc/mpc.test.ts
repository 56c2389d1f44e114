import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topRung, type Rung } from '../../film/ladder.ts';
import { sizesFromLists } from '../../testing/sizes-from-lists.ts';
import { ABR_OPTIONS, createAbrState } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { createLadder } from '../../testing/session.ts';
import { bytes, kbps, seconds } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { mpcHm } from './mpc-hm.ts';
import type { QoeOptions } from '../qoe.ts';
import { robustMpcHm } from './robust-mpc-hm.ts';
import { scenarioMpc } from './scenario-mpc.ts';

const THESIS: QoeOptions = { variation: 'literal', steady: false };
const SEGMENT_S = 2;

interface Film {
  /** By rung, then by segment. */
  readonly sizes: readonly (readonly number[])[];
  readonly ssims?: readonly (readonly number[])[] | undefined;
}

const BITRATES = [300, 1000, 3000];
const ladder = createLadder(BITRATES);
function createState({ sizes, ssims }: Film, given: Partial<AbrState>): AbrState {
  const rungs = createLadder(BITRATES.slice(0, sizes.length));
  return createAbrState({
    ladder: rungs,
    segmentDuration: seconds(SEGMENT_S),
    sizes: sizesFromLists(
      (sizes[0] ?? []).map(() => seconds(SEGMENT_S)),
      new Map(rungs.map(({ id }, rung) => [id, (sizes[rung] ?? []).map(bytes)])),
      ssims && ((id) => ssims[rungs.findIndex((rung) => rung.id === id)]),
    ),
    ...given,
  });
}
const choose = (state: AbrState, options: QoeOptions = THESIS) =>
  mpcHm(options).session(ABR_OPTIONS).choose(state);

/** Returns a plan's quality of experience: Eq. 2.1 (qoe.ts), summed over its steps. */
function qoe(
  plan: readonly number[],
  { sizes, ssims = [] }: Film,
  first: number,
  buffer_s: number,
  x: number,
) {
  return qoeAndBuffer(plan, { sizes, ssims }, ssims[first]?.[0] ?? 0, buffer_s, x).sum;
}

/** Like `qoe`, given the previous SSIM, and also returns the buffer level at the end. */
function qoeAndBuffer(
  plan: readonly number[],
  { sizes, ssims = [] }: Film,
  before_db: number,
  buffer_s: number,
  x: number,
) {
  let [buffer, sum, last] = [buffer_s, 0, before_db];
  for (const [step, rung] of plan.entries()) {
    const q = ssims[rung]?.[step + 1] ?? NaN;
    const took = ((sizes[rung]?.[step + 1] ?? NaN) * 8) / 1000 / x;
    sum += q - Math.abs(q - last) - 100 * Math.max(took - buffer, 0);
    buffer = Math.max(0, buffer - took) + SEGMENT_S;
    last = q;
  }
  return { sum, buffer };
}

const allPlans = (rungs: number, steps: number): number[][] =>
  steps === 0
    ? [[]]
    : allPlans(rungs, steps - 1).flatMap((plan) =>
        Array.from({ length: rungs }, (_, rung) => [rung, ...plan]),
      );

describe('MPC-HM', () => {
  it('takes the first step of the best plan by Eq. 2.1, among all plans', () => {
    const lists = (min: number, max: number) =>
      fc.array(fc.array(fc.double({ min, max, noNaN: true }), { minLength: 6, maxLength: 6 }), {
        minLength: 3,
        maxLength: 3,
      });
    fc.assert(
      fc.property(
        lists(20_000, 900_000),
        lists(5, 25),
        fc.nat(2),
        fc.double({ min: 0, max: 12, noNaN: true }),
        fc.double({ min: 200, max: 6000, noNaN: true }),
        (sizes, ssims, before, buffer, throughput) => {
          const film = { sizes, ssims };
          const state = createState(film, {
            buffer: seconds(buffer),
            previous: ladder[before],
            nextSegmentAt: seconds(SEGMENT_S),
            throughput: kbps(throughput),
          });
          const value = (plan: readonly number[]) => qoe(plan, film, before, buffer, throughput);
          const plans = allPlans(3, 5);
          const best = Math.max(...plans.map(value));
          const index = state.ladder.indexOf(choose(state).rung);
          const ours = Math.max(...plans.filter(([first]) => first === index).map(value));
          expect(ours).toBeCloseTo(best, 6);
        },
      ),
      { numRuns: 300, seed: 14 },
    );
  });

  // Two rungs; the second is 4 dB better. From 6 s on, the scene is easier to encode: each rung has 10 dB more.
  const hard = [10, 10, 10, 20, 20, 20, 20];
  const film: Film = {
    sizes: [Array<number>(7).fill(75_000), Array<number>(7).fill(250_000)],
    ssims: [hard, hard.map((db) => db + 4)],
  };
  const ample = {
    buffer: seconds(20),
    throughput: kbps(50_000),
    nextSegmentAt: seconds(2),
    previous: ladder[0],
  };

  it('counts the variation of content only with the option `literal`', () => {
    // The previous segment has 10 dB. For one segment, SSIM minus change is 14 - 4 = 10 - 0: the lower rung is taken.
    expect(choose(createState(film, ample), { ...THESIS, horizon: 1 }).rung.id).toBe('300');
    // For two segments, 14 - 4 + 14 - 0 exceeds 10 - 0 + 10 - 0.
    expect(choose(createState(film, ample), { ...THESIS, horizon: 2 }).rung.id).toBe('1000');
    // If the next segment is 10 dB better at each rung, 24 - 14 λ exceeds 20 - 10 λ only with λ < 1.
    const easy = { ...ample, nextSegmentAt: seconds(6) };
    const twice = { horizon: 1, lambda: 0.9 };
    expect(choose(createState(film, easy), twice).rung.id).toBe('1000');
    expect(choose(createState(film, easy), { ...twice, lambda: 1.1 }).rung.id).toBe('300');
  });

  it('uses 5 ln(r / r_lowest), with a reason, if the SSIM of a segment is missing', () => {
    const known = createState(film, ample);
    expect(choose(known).reason).toBe('plan by SSIM');
    const holes = { ...film, ssims: [hard, hard.slice(0, 3)] };
    expect(choose(createState(holes, ample)).reason).toBe('plan by bitrate');
    const none = createState({ sizes: film.sizes }, ample);
    expect(choose(none)).toMatchObject({ rung: { id: '1000' }, reason: 'plan by bitrate' });
  });

  it('uses nominal sizes for a rung whose sizes are missing', () => {
    const [low] = film.sizes;
    const state = createState({ sizes: [low ?? [], []] }, ample);
    expect(choose(state).rung.id).toBe('1000');
    // At 250 kbit/s, 2 s at 1000 kbit/s take 8 s.
    expect(choose({ ...state, buffer: seconds(2), throughput: kbps(250) }).rung.id).toBe('300');
  });

  it('predicts the harmonic mean of the last five samples', () => {
    const state = createState(film, { ...ample, buffer: seconds(4) });
    // For one sample of 1000 and four of 4000, the harmonic mean is 5 / (1/1000 + 4/4000) = 2500.
    const history = (...rates: number[]) => rates.map((rate) => createDownload(state, ladder[0], kbps(rate)));
    for (const [downloads, equal] of [
      [history(1000, 4000, 4000, 4000, 4000), 2500],
      [history(10, 1000, 4000, 4000, 4000, 4000), 2500],
      [history(300), 300],
    ] as const) {
      for (const buffer of [0.2, 0.5, 1, 2, 4, 8]) {
        const here = { ...state, buffer: seconds(buffer) };
        const plain = { ...here, throughput: kbps(equal) };
        expect(choose({ ...here, downloads }).rung).toBe(choose(plain).rung);
      }
    }
  });

  it("does not mistake its own pace for the network's throughput", () => {
    const state = createState(film, { ...ample, buffer: seconds(1), throughput: kbps(9000) });
    const sample = (pace_limited: boolean) => [createDownload(state, ladder[0], kbps(400), { pace_limited })];
    expect(choose({ ...state, downloads: sample(true) }).rung.id).toBe('1000');
    expect(choose({ ...state, downloads: sample(false) }).rung.id).toBe('300');
  });

  it('switches up after a switch down only to a sustainable rung', () => {
    const long = { sizes: [Array<number>(30).fill(75_000), Array<number>(30).fill(250_000)] };
    // At 800 kbit/s, 30 s at 1000 kbit/s take 37.5 s and drain the buffer by 7.5 s. A third of the target of 18 s must
    // be left, so 7.5 + 6 = 13.5 s of buffer are just enough.
    const state = createState(long, {
      previous: ladder[0],
      bufferTarget: seconds(18),
      throughput: kbps(800),
    });
    const fallen = (options: QoeOptions) => {
      const session = mpcHm(options).session(ABR_OPTIONS);
      for (const rung of [topRung(state.ladder), state.ladder[0]]) {
        session.observe?.({ type: 'download', download: createDownload(state, rung, kbps(800)) });
      }
      return (buffer: number) => session.choose({ ...state, buffer: seconds(buffer) });
    };
    expect(fallen({})(13.4)).toEqual({
      rung: state.ladder[0],
      reason: 'plan by bitrate, higher would not last',
    });
    expect(fallen({})(13.6).rung.id).toBe('1000');
    expect(fallen({ steady: false })(13.4).rung.id).toBe('1000');
    expect(choose({ ...state, buffer: seconds(13.4) }, {}).rung.id).toBe('1000');

    // The replacement for an abandoned download is no step down, because the higher rung was never played.
    const replaced = mpcHm().session(ABR_OPTIONS);
    for (const [rung, outcome] of [
      [state.ladder[0], 'completed'],
      [topRung(state.ladder), 'abandoned'],
      [state.ladder[0], 'completed'],
    ] as const) {
      const download = createDownload(state, rung, kbps(800), { outcome });
      replaced.observe?.({ type: 'download', download });
    }
    expect(replaced.choose({ ...state, buffer: seconds(13.4) }).rung.id).toBe('1000');
  });
});

describe('RobustMPC-HM', () => {
  const sizes = [Array<number>(7).fill(75_000), Array<number>(7).fill(250_000)];
  const state = createState({ sizes }, { throughput: kbps(1000), previous: ladder[0] });
  const top = topRung(state.ladder);
  const required = (algorithm: typeof mpcHm, downloads: AbrState['downloads']) =>
    algorithm()
      .session(ABR_OPTIONS)
      .requiredThroughput({ ...state, buffer: seconds(1), downloads }, top);
  const download = (rung: Rung, rate: number, pace_limited = false) =>
    createDownload(state, rung, kbps(rate), { pace_limited });

  it('has a required throughput that is larger by its largest error', () => {
    const plain = required(mpcHm, []);
    // Before an error is known, it uses 0.9 of the prediction. The tolerance is the search's step, 100 / 0.9 kbit/s.
    for (const downloads of [[], [download(top, 1000)]]) {
      expect(Math.abs(required(robustMpcHm, downloads) - plain / 0.9)).toBeLessThanOrEqual(111);
    }
    // A sample of 2000 after 1000 is an error of 50%, so 1.5 times as much is required, within a step of 1.5 * 100.
    const wrong = [download(top, 1000), download(top, 2000)];
    expect(Math.abs(required(robustMpcHm, wrong) - 1.5 * plain)).toBeLessThanOrEqual(150);
    expect(required(mpcHm, wrong)).toBe(plain);
  });

  it('counts a pace-limited download as no error', () => {
    const paced = [download(top, 1000), download(top, 300, true)];
    expect(required(robustMpcHm, paced)).toBe(required(mpcHm, []));
  });

  it('uses the last five errors, each relative to the mean of the five preceding samples', () => {
    const steady = (count: number) => Array.from({ length: count }, () => download(top, 1000));
    // For the sixth of ten samples, the prediction 5 / (1/100 + 4/1000) = 357 has an error of 1 - 357 / 1000 = 9/14.
    const old = required(robustMpcHm, [download(top, 100), ...steady(9)]);
    expect(Math.abs(old - (1 + 9 / 14) * required(mpcHm, []))).toBeLessThanOrEqual(165);
    expect(required(robustMpcHm, steady(10))).toBe(required(mpcHm, []));
  });
});

describe('MPC over scenarios', () => {
  // Three rungs, each 4 dB better than the next lower one, for every segment.
  const sizes = [75_000, 250_000, 750_000].map((size) => Array<number>(7).fill(size));
  const ssims = [10, 14, 18].map((db) => Array<number>(7).fill(db));
  const film = { sizes, ssims };
  const rates =
    (...kbit: number[]) =>
    (state: AbrState) =>
      kbit.map((rate) => createDownload(state, ladder[0], kbps(rate)));

  it('takes the step with the best mean over the last three samples and half of the lowest', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 200, max: 6000, noNaN: true }), { minLength: 3, maxLength: 6 }),
        fc.double({ min: 0, max: 12, noNaN: true }),
        fc.nat(2),
        fc.nat(20),
        (history, buffer, before, segments) => {
          const state = createState(film, {
            buffer: seconds(buffer),
            bufferTarget: seconds(18),
            previous: ladder[before],
            nextSegmentAt: seconds(SEGMENT_S),
          });
          const session = scenarioMpc().session(ABR_OPTIONS);
          for (let count = 0; count < segments; count++) {
            session.observe?.({ type: 'download', download: createDownload(state, ladder[0], kbps(1000)) });
          }
          const index = state.ladder.indexOf(
            session.choose({ ...state, downloads: rates(...history)(state) }).rung,
          );

          const recent = history.slice(-3);
          const reserve_s = Math.min(18, 0.5 * SEGMENT_S * segments);
          const missing = (left: number) =>
            reserve_s > 0 ? (6 * Math.max(0, reserve_s - left) ** 2) / (2 * reserve_s) : 0;
          const values = [0, 1, 2].map((first) => {
            const plans = allPlans(3, 5).filter(([step]) => step === first);
            const worth = (plan: readonly number[], buffered: number, x: number) => {
              const { sum, buffer: left } = qoeAndBuffer(plan, film, 10 + 4 * before, buffered, x);
              return sum - missing(left);
            };
            const best = recent.map((x) => Math.max(...plans.map((plan) => worth(plan, buffer, x))));
            // In the worst scenario, the download is abandoned after half a second, and a lower rung arrives at 0.8 of
            // the throughput.
            const worst = Math.min(...recent) / 2;
            const growing = 0.5 * SEGMENT_S * segments < 18;
            const lower = allPlans(3, 5).filter(([step = 3]) => growing && step < first);
            best.push(
              Math.max(
                ...plans.map((plan) => worth(plan, buffer, worst)),
                ...lower.map((plan) => worth(plan, buffer - 0.5, 0.8 * worst)),
              ),
            );
            return best.reduce((total, value) => total + value, 0) / best.length;
          });
          expect(values[index]).toBeCloseTo(Math.max(...values), 6);
        },
      ),
      { numRuns: 200, seed: 14 },
    );
  });

  it("does not mistake its own pace for the network's throughput", () => {
    const state = createState(film, {
      buffer: seconds(2),
      throughput: kbps(20_000),
      previous: ladder[2],
      nextSegmentAt: seconds(SEGMENT_S),
    });
    // At 800 kbit/s, 2 s of the middle rung, 250 kB, take 2.5 s, longer than the buffer lasts.
    const chosen = (pace_limited: boolean) => {
      const downloads = Array.from({ length: 3 }, () =>
        createDownload(state, ladder[0], kbps(800), { pace_limited }),
      );
      return scenarioMpc()
        .session(ABR_OPTIONS)
        .choose({ ...state, downloads }).rung.id;
    };
    expect(chosen(true)).toBe('3000');
    expect(chosen(false)).toBe('300');
  });

  it.each([
    [{ samples: 0 }, /^option samples is 0, expected a whole number from 1 to 10$/],
    [{ pessimism: 1.1 }, /^option pessimism is 1.1/],
    [{ reserve_db_per_s: -1 }, /^option reserve_db_per_s is -1/],
    [{ reserve_share: 0 }, /^option reserve_share is 0/],
    [{ horizon: 9 }, /^option horizon is 9/],
  ])('%j is refused', (options, message) => {
    expect(() => scenarioMpc(options)).toThrow(message);
  });
});

it.each([
  [{ lambda: -1 }, /^option lambda is -1/],
  [{ mu_per_s: 0 }, /^option mu_per_s is 0/],
  [{ horizon: 9 }, /^option horizon is 9, expected a whole number from 1 to 8$/],
  [{ variation: 'none' as 'literal' }, /^option variation is 'none'/],
])('mpcHm(%j) is refused', (options, message) => {
  expect(() => mpcHm(options)).toThrow(message);
  expect(() => robustMpcHm(options)).toThrow(message);
});

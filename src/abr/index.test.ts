import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import type { Rung } from '../film/ladder.ts';
import { createDownload } from '../testing/download.ts';
import { algorithmExports, everyAlgorithm as algorithms } from '../testing/every-algorithm.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { createLadder } from '../testing/session.ts';
import { certain, ttpFile } from '../testing/ttp-file.ts';
import { bytes, kbps, seconds } from '../units.ts';
import { ALGORITHMS } from './algorithms.ts';
import { smooth } from '../pace/smooth.ts';
import * as entry from './index.ts';

const states = fc
  .record({
    bitrates: fc.uniqueArray(fc.integer({ min: 50, max: 50_000 }), { minLength: 2, maxLength: 8 }),
    previous: fc.option(fc.nat(7)),
    buffer: fc.double({ min: 0, max: 60, noNaN: true }),
    target: fc.double({ min: 1, max: 60, noNaN: true }),
    throughput: fc.double({ min: 0, max: 100_000, noNaN: true }),
    playbackRate: fc.double({ min: 0.25, max: 4, noNaN: true }),
    lowLatency: fc.boolean(),
  })
  .map(({ bitrates, previous, buffer, target, throughput, ...rest }) => {
    const ladder = createLadder(bitrates);
    return createAbrState({
      ...rest,
      ladder,
      previous: previous === null ? undefined : ladder[previous],
      buffer: seconds(buffer),
      bufferTarget: seconds(target),
      throughput: kbps(throughput),
    });
  });

describe('dashjs-sammy/abr', () => {
  it('exports the algorithms that have a name, and others', () => {
    const names = algorithms.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(Object.keys(ALGORITHMS)));
    expect(names.length).toBeGreaterThan(Object.keys(ALGORITHMS).length);
  });

  it.each(Object.entries(ALGORITHMS))('%s has the name of its key', (name, algorithm) => {
    expect(algorithm.name).toBe(name);
  });

  it.each(algorithms)(
    '$name picks a rung of the ladder with a reason, and returns the required throughput of each rung',
    (algorithm) => {
      fc.assert(
        fc.property(states, (state) => {
          const session = algorithm.session(ABR_OPTIONS);
          const { rung, reason } = session.choose(state);
          expect(state.ladder).toContain(rung);
          expect(reason).not.toBe('');
          for (const candidate of state.ladder) {
            expect(session.requiredThroughput(state, candidate)).toBeGreaterThanOrEqual(0);
          }
        }),
      );
    },
  );

  it.each(algorithms)('$name works without the sizes of a rung or the SSIM of segments', (algorithm) => {
    const ladder = createLadder([300, 1000, 3000]);
    const durations = Array<number>(10).fill(2).map(seconds);
    const createSizes = ({ id, bitrate_kbps }: Rung) =>
      [id, durations.map(() => bytes(250 * bitrate_kbps))] as const;
    for (const missing of ladder) {
      const known = ladder.filter((rung) => rung !== missing).map(createSizes);
      // Every second segment has no SSIM, and one rung has none at all.
      const ssims = (id: string) =>
        id === missing.id ? undefined : durations.map((_, at) => (at % 2 ? 15 : (undefined as never)));
      const sizes = sizesFromLists(durations, new Map(known), ssims);
      for (const [throughput, rate] of [
        [100_000, 3000],
        [100, 300],
      ] as const) {
        const state = createAbrState({
          ladder,
          sizes,
          previous: ladder[1],
          buffer: seconds(rate === 300 ? 0.5 : 18),
          throughput: kbps(throughput),
        });
        const session = algorithm.session(ABR_OPTIONS);
        session.observe?.({ type: 'seek' });
        expect(session.choose(state).rung.bitrate_kbps).toBe(rate);
        for (const rung of ladder) expect(session.requiredThroughput(state, rung)).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

const model = ttpFile({ shares: () => certain(1) });

describe('an unknown option', () => {
  it.each(algorithmExports)('is refused by %s', (name) => {
    const make = entry[name] as (given: object) => unknown;
    expect(() => make({ model, horizn: 4 })).toThrow(`${name}: unknown option `);
  });

  const mpc = 'lambda, mu_per_s, horizon, variation, steady';
  it.each<[string, string, (given: never) => unknown]>([
    ['hyb', 'beta, lookahead_s', entry.hyb],
    ['careful', 'beta, lookahead_s', entry.careful],
    ['considerate', 'algorithm', entry.considerate],
    ['bba', 'reservoir, upper_reservoir, throughput_share', entry.bba],
    ['bola', 'minimum_buffer_s, buffer_per_rung_s, throughput_share, sufficient_share', entry.bola],
    ['mpcHm', mpc, entry.mpcHm],
    ['robustMpcHm', mpc, entry.robustMpcHm],
    [
      'scenarioMpc',
      'samples, pessimism, reserve_db_per_s, reserve_share, lambda, mu_per_s, horizon, variation',
      entry.scenarioMpc,
    ],
    [
      'fugu',
      'model, tolerance_db, reserve_db_per_s, reserve_share, warn, lambda, mu_per_s, variation',
      (given: object) => entry.fugu({ model, ...given }),
    ],
    ['smooth', 'reserve_s, growth, ample, horizon_s', smooth],
  ])('is refused by %s, which lists its options: %s', (name, known, make) => {
    expect(() => make({ horizn: 4 } as never)).toThrow(
      new Error(`${name}: unknown option horizn; known: ${known}`),
    );
  });

  it('includes options that the model or the reserve determines', () => {
    expect(() => entry.fugu({ model, horizon: 5 } as never)).toThrow('unknown option horizon');
    expect(() => entry.scenarioMpc({ steady: true } as never)).toThrow('unknown option steady');
  });
});

describe('in the oldest browsers', () => {
  /** The array methods that Chrome 98, Firefox 104 and Safari 15.4 lack, although the compiler accepts them. */
  const missing = [Array.prototype, Object.getPrototypeOf(Uint8Array.prototype) as object].flatMap((owner) =>
    ['toReversed', 'toSorted', 'toSpliced', 'with'].flatMap((name) => {
      const descriptor = Object.getOwnPropertyDescriptor(owner, name);
      return descriptor ? [{ owner, name, descriptor }] : [];
    }),
  );
  beforeEach(() => {
    for (const { owner, name } of missing) Reflect.deleteProperty(owner, name);
  });
  afterEach(() => {
    for (const { owner, name, descriptor } of missing) Object.defineProperty(owner, name, descriptor);
  });

  it.each([...algorithms, entry.fugu({ model })])(
    '$name chooses a rung and returns its required throughput',
    (algorithm) => {
      const state = createAbrState({ buffer: seconds(8), throughput: kbps(1500) });
      const [previous] = state.ladder;
      const asked = { ...state, previous, downloads: [createDownload(state, previous, kbps(1500))] };
      const session = algorithm.session(ABR_OPTIONS);
      expect(state.ladder).toContain(session.choose(asked).rung);
      for (const rung of state.ladder)
        expect(session.requiredThroughput(asked, rung)).toBeGreaterThanOrEqual(0);
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AbrSession } from '../abr/abr.ts';
import { algorithm1 } from './algorithm-1.ts';
import { hyb as algorithm, type HybOptions } from '../abr/hyb.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { makeLadder, topRung, type Ladder } from '../film/ladder.ts';
import { asRtp, type PaceInput } from './pace.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { bytes, kbps, seconds } from '../units.ts';

const hyb = (options: HybOptions) => algorithm(options).session(ABR_OPTIONS);

const createLadder = (...bitrates_kbps: number[]): Ladder => {
  const ladder = makeLadder(bitrates_kbps.map((rate) => ({ id: `${rate}`, bandwidth: rate * 1000 })));
  if (!ladder) throw new Error('empty ladder');
  return ladder;
};
const paper = { c0: 3.2, c1: 2.8, ceiling_kbps: Infinity };

/** Returns the pace as it is sent. */
const choosePace = (input: PaceInput, { ceiling_kbps, ...options }: typeof paper) =>
  asRtp(algorithm1(options).choosePace(input), kbps(ceiling_kbps));

interface Given {
  ladder?: Ladder;
  buffer?: number;
  maxBuffer?: number;
  playbackRate?: number;
  sizes?: PaceInput['state']['sizes'];
  rungIndex?: number;
  phase?: PaceInput['phase'];
  abr?: AbrSession;
  duration?: number;
}
const createInput = (given: Given = {}): PaceInput => {
  const ladder = given.ladder ?? createLadder(300, 1000, 3500);
  return {
    phase: given.phase ?? 'playing',
    state: createAbrState({
      ladder,
      buffer: seconds(given.buffer ?? 0),
      playbackRate: given.playbackRate ?? 1,
      nextSegmentAt: seconds(0),
      sizes: given.sizes,
    }),
    rung: ladder[given.rungIndex ?? ladder.length - 1] ?? ladder[0],
    duration: given.duration === undefined ? undefined : seconds(given.duration),
    maxBuffer: seconds(given.maxBuffer ?? 30),
    abr: given.abr ?? hyb({}),
    carried: [],
  };
};

describe('algorithm1', () => {
  // Algorithm 1: c1 B + c0 (1 - B) times the top bitrate of 3500 kbit/s. B is the buffer level / 30 s, at most 1.
  it.each([
    [0, 3.2, 11_200],
    [15, 3.0, 10_500],
    [30, 2.8, 9800],
    [45, 2.8, 9800], // above the maximum
    // B is rounded to the nearest of 0, 0.5 and 1.
    [7.4, 3.2, 11_200],
    [7.6, 3.0, 10_500],
    [22.4, 3.0, 10_500],
    [22.6, 2.8, 9800],
  ])('at %d of 30 s requests %d times the top bitrate', (buffer, multiplier, pace) => {
    const decision = choosePace(createInput({ buffer }), paper);
    expect(decision).toMatchObject({ pace, reason: 'algorithm-1' });
    expect(decision.multiplier).toBeCloseTo(multiplier, 12);
  });

  it('uses the top rung, whichever rung is requested', () => {
    expect(choosePace(createInput({ rungIndex: 0 }), paper).pace).toBe(11_200);
  });

  it('returns the bound of Eq. 1: 3500 / 0.8 with an empty buffer, half of it with 10 s at D_T = 10 s', () => {
    expect(choosePace(createInput(), paper).bound).toBeCloseTo(4375, 6);
    expect(choosePace(createInput({ buffer: 10 }), paper).bound).toBeCloseTo(2187.5, 6);
  });

  it.each(['initial', 'recovery'] as const)('requests no pace in the %s phase', (phase) => {
    expect(choosePace(createInput({ phase }), paper)).toEqual({ pace: null, reason: phase });
  });

  it('is raised to Eq. 1 divided by the goodput if c is lower', () => {
    // With β = 0.5 and an empty buffer, the bound is 3500 / 0.5. Divided by 0.9 and rounded up, the pace is 7800.
    const decision = choosePace(createInput({ abr: hyb({ beta: 0.5 }) }), { ...paper, c0: 1, c1: 1 });
    expect(decision).toMatchObject({ pace: 7800, reason: 'raised-to-eq-1' });
  });

  it('is raised to the bitrate of a segment above the nominal bitrate', () => {
    // 2.5 MB in 2 s are 10,000 kbit/s. With 30 s buffered, Eq. 1 requires only 20,000 kbit in 30 + 2 s at 0.8 (β).
    const sizes = sizesFromLists([seconds(2)], new Map([['3500', [bytes(2_500_000)]]]));
    const decision = choosePace(createInput({ sizes, buffer: 30 }), { ...paper, c0: 1, c1: 1 });
    expect(decision).toMatchObject({ pace: 10_000, reason: 'raised-to-segment-bitrate' });
    expect(decision.bound).toBeCloseTo(781.25, 6);
  });

  it('is raised so that the segment arrives before the buffer is empty', () => {
    const low = { ...paper, c0: 0.1, c1: 0.1 };
    // 2 s at 3500 kbit/s must arrive within 1 s at 0.9 of the pace, even if the algorithm does not require it.
    const undemanding = { ...hyb({}), requiredThroughput: () => kbps(0) };
    const near = { buffer: 1, duration: 2, abr: undemanding };
    expect(choosePace(createInput(near), low)).toMatchObject({
      pace: 7800,
      reason: 'raised-to-arrive-in-time',
    });
    // The low rung is in time at its own bitrate: 600 / 0.9 = 667.
    expect(choosePace(createInput({ ...near, rungIndex: 0 }), low).pace).toBe(700);
    // At double speed, 1 s of buffer lasts 0.5 s.
    expect(choosePace(createInput({ ...near, playbackRate: 2 }), low).pace).toBe(15_600);
    // HYB itself requires 7000 kbit within 1 s.
    expect(choosePace(createInput({ buffer: 1, duration: 2 }), low)).toMatchObject({
      pace: 7800,
      bound: 7000,
      reason: 'raised-to-eq-1',
    });
  });

  it('requests no pace if more than 3.2 or c0 times the top bitrate is needed', () => {
    // 7000 kbit in 0.69 s at 0.9 of the pace need 11,272 kbit/s, just above 3.2 * 3500. In 0.7 s, they need 11,111
    // kbit/s.
    expect(choosePace(createInput({ buffer: 0.69 }), paper)).toMatchObject({ pace: null, reason: 'urgent' });
    expect(choosePace(createInput({ buffer: 0.7 }), paper).pace).toBe(11_200);
    expect(choosePace(createInput({ buffer: 0.69 }), { ...paper, c0: 10 }).pace).not.toBeNull();
    expect(choosePace(createInput({ buffer: 1e-9 }), { ...paper, c0: 100 }).pace).toBeNull();
  });

  it('does not raise the pace for an empty buffer', () => {
    // Eq. 1 requires 3500 / 0.8 / 0.9 = 4861.
    expect(choosePace(createInput({ duration: 2 }), { ...paper, c0: 1, c1: 1 }).pace).toBe(4900);
  });

  it.each([
    [1.4, 'algorithm-1'],
    [1.38, 'raised-to-eq-1'],
  ])('with c0 = %d is set by %s at an empty buffer: 1 / (0.9 * 0.8) = 1.389', (c0, reason) => {
    expect(choosePace(createInput(), { ...paper, c0 }).reason).toBe(reason);
  });

  it('requests more at double speed, but not less at half speed', () => {
    expect(choosePace(createInput({ playbackRate: 2 }), paper).pace).toBe(22_400);
    expect(choosePace(createInput({ playbackRate: 0.5 }), paper).pace).toBe(11_200);
  });

  it('stays below the ceiling, with this reason', () => {
    expect(choosePace(createInput(), { ...paper, ceiling_kbps: 5050 })).toMatchObject({
      pace: 5000,
      reason: 'lowered-to-ceiling',
    });
    expect(choosePace(createInput(), { ...paper, ceiling_kbps: 11_200 }).reason).toBe('algorithm-1');
  });

  it('treats a buffer without a size as empty', () => {
    expect(choosePace(createInput({ buffer: 5, maxBuffer: 0 }), paper).multiplier).toBe(3.2);
  });

  it('ignores the bound of an algorithm for which no throughput suffices', () => {
    const abr: AbrSession = {
      choose: ({ ladder }) => ({ rung: ladder[0], reason: 'always' }),
      requiredThroughput: () => kbps(Infinity),
    };
    expect(choosePace(createInput({ abr }), paper)).toMatchObject({ pace: 11_200, reason: 'algorithm-1' });
  });

  const anyInput = fc.record({
    bitrates: fc.uniqueArray(fc.integer({ min: 20, max: 60_000 }), { minLength: 1, maxLength: 6 }),
    rungIndex: fc.nat({ max: 5 }),
    buffer: fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 300, noNaN: true })),
    maxBuffer: fc.double({ min: 0, max: 300, noNaN: true }),
    playbackRate: fc.double({ min: 0.1, max: 4, noNaN: true }),
    sizes: fc.option(fc.array(fc.integer({ min: 0, max: 20_000_000 }), { minLength: 1, maxLength: 8 })),
    beta: fc.double({ min: 0.05, max: 1, noNaN: true }),
    duration: fc.constantFrom(undefined, 0.5, 2, 10),
    c0: fc.double({ min: 0.1, max: 10, noNaN: true }),
    c1: fc.double({ min: 0.1, max: 10, noNaN: true }),
    ceiling: fc.oneof(fc.constant(Infinity), fc.double({ min: 100, max: 200_000, noNaN: true })),
  });

  it('stays within its bounds in any situation', () => {
    fc.assert(
      fc.property(anyInput, ({ bitrates, sizes, beta, c0, c1, ceiling, ...situation }) => {
        const ladder = createLadder(...bitrates);
        const abr = hyb({ beta });
        const rungIndex = Math.min(situation.rungIndex, ladder.length - 1);
        const known =
          sizes &&
          sizesFromLists(
            sizes.map(() => seconds(2)),
            new Map(ladder.map(({ id }) => [id, sizes.map(bytes)])),
          );
        const { duration, ...others } = situation;
        const input = createInput({
          ...others,
          ...(duration !== undefined && { duration }),
          ladder,
          abr,
          rungIndex,
          sizes: known ?? undefined,
        });
        const { pace, reason, multiplier, bound } = choosePace(input, { c0, c1, ceiling_kbps: ceiling });

        const { buffer, playbackRate } = situation;
        const speed = Math.max(1, playbackRate);
        if (pace === null) {
          const segment_kbit = (sizes ? (sizes[0] ?? 0) * 8 : input.rung.bitrate_kbps * 2000) / 1000;
          const inTime = buffer > 0 ? ((segment_kbit / 2) * speed * (duration ?? 0)) / buffer / 0.9 : 0;
          expect(reason).toBe('urgent');
          expect(Math.max((bound ?? 0) / 0.9, inTime)).toBeGreaterThan(
            Math.max(3.2, c0) * topRung(ladder).bitrate_kbps * speed * (1 - 1e-9),
          );
          return;
        }
        expect(pace % 100).toBe(0);
        expect(pace).toBeGreaterThanOrEqual(100);
        expect(pace).toBeLessThanOrEqual(ceiling);
        expect(bound).toBe(abr.requiredThroughput(input.state, topRung(ladder)));
        expect(multiplier).toBeGreaterThanOrEqual(Math.min(c0, c1) - 1e-9);
        expect(multiplier).toBeLessThanOrEqual(Math.max(c0, c1) + 1e-9);

        const segment_kbps = sizes ? ((sizes[0] ?? 0) * 8) / 1000 / 2 : input.rung.bitrate_kbps;
        const least = Math.max(bound ?? 0, segment_kbps) - 1e-6;
        // The highest pace: the ceiling, rounded down to a multiple of 100.
        const most = Math.floor(ceiling / 100) * 100;
        if (most >= least) expect(pace).toBeGreaterThanOrEqual(least);
        else expect(reason).toBe('lowered-to-ceiling');
      }),
      { numRuns: 500 },
    );
  });
});

it('uses the larger multiple if no throughput makes the algorithm pick the top rung', () => {
  const never: AbrSession = {
    choose: ({ ladder }) => ({ rung: ladder[0], reason: 'never' }),
    requiredThroughput: () => kbps(Infinity),
  };
  const full = { buffer: 30, maxBuffer: 30, rungIndex: 0, abr: never };
  expect(choosePace(createInput(full), paper).multiplier).toBe(3.2);
  expect(choosePace(createInput(full), { ...paper, c0: 2, c1: 2.5 }).multiplier).toBe(2.5);
  const bounded = { ...never, requiredThroughput: () => kbps(100) };
  expect(choosePace(createInput({ ...full, abr: bounded }), paper).multiplier).toBe(2.8);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topOf, type Rung } from '../film/ladder.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { ABR_OPTIONS, abrStateOf } from '../testing/abr-state.ts';
import { downloadOf } from '../testing/download.ts';
import { ladderOf } from '../testing/session.ts';
import { bytes, kbps, milliseconds, seconds, type Kbps } from '../units.ts';
import type { AbrAlgorithm, AbrEvent, AbrSession, AbrState } from './abr.ts';
import { bba } from './bba.ts';
import { bola } from './bola.ts';
import { hyb } from './hyb.ts';
import { mpcHm } from './mpc-hm.ts';
import { nextState } from './next-state.ts';
import { robustMpcHm } from './robust-mpc-hm.ts';
import { scenarioMpc } from './scenario-mpc.ts';

/** On a grid of 100 kbit/s, as CMCD rtp has it. */
const STEP_KBPS = 100;
const RUNS = 10_000;
/** Some seconds, and more on a loaded machine. */
const TIMEOUT_MS = 120_000;

/** A film of 30 segments, whose sizes wander as scenes do, and the state of a session in the middle of it. */
const situations = fc
  .record({
    bitrates: fc.uniqueArray(fc.integer({ min: 50, max: 30_000 }), { minLength: 2, maxLength: 8 }),
    weights: fc.array(fc.double({ min: 0.3, max: 2.5, noNaN: true }), { minLength: 30, maxLength: 30 }),
    sizesKnown: fc.boolean(),
    duration: fc.constantFrom(1, 2, 4, 6),
    position: fc.nat(15),
    previous: fc.option(fc.nat(7), { nil: undefined }),
    buffer: fc.double({ min: 0.05, max: 60, noNaN: true }),
    bufferTarget: fc.double({ min: 6, max: 60, noNaN: true }),
    throughput: fc.double({ min: 50, max: 60_000, noNaN: true }),
    playbackRate: fc.constantFrom(1, 1, 1, 0.5, 1.5, 2),
    lowLatency: fc.constantFrom(false, false, false, true),
  })
  .map(({ bitrates, weights, sizesKnown, duration, position, previous, ...given }): AbrState => {
    const ladder = ladderOf(bitrates);
    const sizes = sizesFromLists(
      weights.map(() => seconds(duration)),
      new Map(
        ladder.map(({ id, bitrate_kbps }) => [
          id,
          weights.map((weight) => bytes(weight * bitrate_kbps * 125 * duration)),
        ]),
      ),
    );
    return abrStateOf({
      ladder,
      sizes: sizesKnown ? sizes : undefined,
      previous: previous === undefined ? undefined : ladder[previous],
      segmentDuration: seconds(duration),
      nextSegmentAt: seconds(position * duration),
      buffer: seconds(given.buffer),
      bufferTarget: seconds(given.bufferTarget),
      throughput: kbps(given.throughput),
      playbackRate: given.playbackRate,
      lowLatency: given.lowLatency,
    });
  });

/** What may have happened before. */
const histories = fc.array(
  fc.oneof(
    fc.record({
      type: fc.constant('download' as const),
      rung: fc.nat(7),
      buffer_s: fc.double({ min: 0, max: 40, noNaN: true }),
      throughput: fc.double({ min: 100, max: 60_000, noNaN: true }),
      pace_limited: fc.boolean(),
      abr_reason: fc.constantFrom('startup', 'stays'),
      outcome: fc.constantFrom('completed' as const, 'completed' as const, 'abandoned' as const),
    }),
    fc.constant({ type: 'stall' as const }),
    fc.constant({ type: 'seek' as const }),
  ),
  { maxLength: 4 },
);
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

const eventsOf = (history: History, state: AbrState): AbrEvent[] =>
  history.map((event): AbrEvent => {
    if (event.type === 'seek') return { type: 'seek' };
    if (event.type === 'stall') return { type: 'stall', duration: milliseconds(500) };
    const { rung, throughput, type: _, ...given } = event;
    const chosen = state.ladder[rung] ?? topOf(state.ladder);
    return { type: 'download', download: downloadOf(state, chosen, kbps(throughput), given) };
  });

function sessionWith(algorithm: AbrAlgorithm, events: readonly AbrEvent[]): AbrSession {
  const session = algorithm.session(ABR_OPTIONS);
  for (const event of events) session.observe?.(event);
  return session;
}

interface Question {
  readonly algorithm: AbrAlgorithm;
  readonly events: readonly AbrEvent[];
  readonly state: AbrState;
}

/** What is chosen at a throughput: an algorithm goes by the estimate of it, or by what it has left in the buffer next time. */
const actsNow = ({ algorithm, events, state }: Question, _: Rung, throughput: Kbps): Rung =>
  sessionWith(algorithm, events).choose({ ...state, throughput }).rung;
const actsNext = ({ algorithm, events, state }: Question, rung: Rung, throughput: Kbps): Rung => {
  const session = sessionWith(algorithm, events);
  session.choose(state);
  session.observe?.({ type: 'download', download: downloadOf(state, rung, throughput) });
  return session.choose(nextState(state, rung, throughput)).rung;
};

const cases = [
  { algorithm: hyb(), chosen: actsNow },
  { algorithm: mpcHm(), chosen: actsNow },
  { algorithm: robustMpcHm(), chosen: actsNow },
  { algorithm: scenarioMpc(), chosen: actsNow },
  { algorithm: bba(), chosen: actsNext },
  { algorithm: bola(), chosen: actsNext },
];

describe.each(cases)('$algorithm.name', ({ algorithm, chosen }) => {
  it(
    'keeps a rung at the required throughput and above, and not one step below it',
    () => {
      fc.assert(
        fc.property(situations, histories, fc.nat(7), (state, history, index) => {
          const events = eventsOf(history, state);
          const question = { algorithm, events, state };
          // The lowest rung is taken anyway.
          const rung = state.ladder[1 + (index % (state.ladder.length - 1))] ?? topOf(state.ladder);
          const keeps = (throughput: number) =>
            chosen(question, rung, kbps(throughput)).bitrate_kbps >= rung.bitrate_kbps;
          const required = sessionWith(algorithm, events).requiredThroughput(state, rung);
          if (required === Infinity) {
            expect(keeps(1e9)).toBe(false);
            return;
          }
          // Less a rounding error.
          const enough = Math.ceil(required / STEP_KBPS - 1e-9) * STEP_KBPS;
          for (const more of [0, STEP_KBPS, enough, 1e9]) expect(keeps(enough + more)).toBe(true);
          if (enough > STEP_KBPS) expect(keeps(enough - STEP_KBPS)).toBe(false);
        }),
        { numRuns: RUNS, seed: 14 },
      );
    },
    TIMEOUT_MS,
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topRung, type Rung } from '../film/ladder.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { everyAlgorithm } from '../testing/every-algorithm.ts';
import { createLadder } from '../testing/session.ts';
import { bytes, kbps, milliseconds, seconds, type Kbps } from '../units.ts';
import type { AbrAlgorithm, AbrEvent, AbrSession, AbrState } from './abr.ts';
import { hyb } from './hyb.ts';
import { lookahead } from './lookahead.ts';
import { nextState } from './next-state.ts';

/** The step of the checked throughputs: the step of CMCD `rtp`. */
const STEP_KBPS = 100;
/** A test takes seconds, or more on a busy machine. */
const TIMEOUT_MS = 120_000;

/** A video of 30 segments with varying sizes, and the state of a session in the middle of it. */
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
    const ladder = createLadder(bitrates);
    const sizes = sizesFromLists(
      weights.map(() => seconds(duration)),
      new Map(
        ladder.map(({ id, bitrate_kbps }) => [
          id,
          weights.map((weight) => bytes(weight * bitrate_kbps * 125 * duration)),
        ]),
      ),
    );
    return createAbrState({
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

/** Events before the choice. */
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

const createEvents = (history: History, state: AbrState): AbrEvent[] =>
  history.map((event): AbrEvent => {
    if (event.type === 'seek') return { type: 'seek' };
    if (event.type === 'stall') return { type: 'stall', duration: milliseconds(500) };
    const { rung, throughput, type: _, ...given } = event;
    const chosen = state.ladder[rung] ?? topRung(state.ladder);
    return { type: 'download', download: createDownload(state, chosen, kbps(throughput), given) };
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

/** Returns the choice of an algorithm that reacts at once to the throughput estimate. */
const actsNow = ({ algorithm, events, state }: Question, _: Rung, throughput: Kbps): Rung =>
  sessionWith(algorithm, events).choose({ ...state, throughput }).rung;
const actsNext = ({ algorithm, events, state }: Question, rung: Rung, throughput: Kbps): Rung => {
  const session = sessionWith(algorithm, events);
  session.choose(state);
  session.observe?.({ type: 'download', download: createDownload(state, rung, throughput) });
  return session.choose(nextState(state, rung, throughput)).rung;
};

/**
 * An independent check for HYB, whose choice is derived from its required throughput: simulates the download and
 * playback of a rung, segment by segment. A higher rung must play at the throughput divided by 1.2 (the margin in
 * hyb.ts) and, by Sammy Theorem A.1, at β of that. The previous or a lower rung must play at 0.9 of the throughput.
 */
function playsOut({ state }: Question, rung: Rung, throughput: Kbps): Rung {
  const { previous, playbackRate, lowLatency, ladder } = state;
  const up = previous !== undefined && rung.bitrate_kbps > previous.bitrate_kbps;
  const estimate = throughput / (up ? 1.2 : 1);
  const share = previous === undefined || up ? ABR_OPTIONS.beta : 0.9;
  const play = (rate_kbps: number): { stalls: boolean; left_s: number } => {
    let [left_s, stalls] = [state.buffer / playbackRate, false];
    for (const { size, duration } of lookahead(state, rung, seconds(ABR_OPTIONS.lookahead_s))) {
      left_s -= (size * 8) / 1000 / rate_kbps;
      stalls ||= left_s < -ROUNDING_S;
      left_s += duration / playbackRate;
    }
    return { stalls, left_s };
  };
  // In low-latency live, a segment plays while it arrives, so stalls in between do not count.
  const plays = play(share * estimate).left_s >= -ROUNDING_S && (lowLatency || !play(estimate).stalls);
  return plays ? rung : ladder[0];
}
/** The tolerance: less than the time of a byte at a high rate, and more than the rounding errors of the sums. */
const ROUNDING_S = 1e-12;

/** Buffer-based algorithms, for which the throughput of a download affects only the choice after it. */
const BY_BUFFER = ['bba', 'bola'];

const cases = [
  ...everyAlgorithm.map((algorithm) => ({
    ...{ name: algorithm.name, algorithm },
    chosen: BY_BUFFER.includes(algorithm.name) ? actsNext : actsNow,
  })),
  { name: 'hyb, played out', algorithm: hyb(), chosen: playsOut },
];

describe.each(cases)('$name', ({ algorithm, chosen }) => {
  it(
    'keeps a rung at the required throughput and above, and not one step below it',
    () => {
      fc.assert(
        fc.property(situations, histories, fc.nat(7), (state, history, index) => {
          const events = createEvents(history, state);
          const question = { algorithm, events, state };
          // Skip the lowest rung, which is always taken as a last resort.
          const rung = state.ladder[1 + (index % (state.ladder.length - 1))] ?? topRung(state.ladder);
          const keeps = (throughput: number) =>
            chosen(question, rung, kbps(throughput)).bitrate_kbps >= rung.bitrate_kbps;
          const required = sessionWith(algorithm, events).requiredThroughput(state, rung);
          if (required === Infinity) {
            expect(keeps(1e9)).toBe(false);
            return;
          }
          // Subtract a rounding error, because the required throughput may be slightly above a multiple of the step.
          const enough = Math.ceil(required / STEP_KBPS - 1e-9) * STEP_KBPS;
          for (const more of [0, STEP_KBPS, enough, 1e9])
            expect(keeps((enough + more) * (1 + 1e-9))).toBe(true);
          if (enough > STEP_KBPS) expect(keeps(enough - STEP_KBPS)).toBe(false);
        }),
      );
    },
    TIMEOUT_MS,
  );
});

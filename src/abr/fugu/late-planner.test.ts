import { describe, expect, it } from 'vitest';
import { topRung } from '../../film/ladder.ts';
import type { PaceInput, PacePolicy } from '../../pace/pace.ts';
import { ABR_OPTIONS, createAbrState } from '../../testing/abr-state.ts';
import { kbps, milliseconds, seconds } from '../../units.ts';
import type { AbrAlgorithm, AbrEvent, AbrState } from '../abr.ts';
import { careful } from '../careful.ts';
import { latePlanner } from './late-planner.ts';

/** A planner that always chooses the top rung and a pace of 1234 kbit/s, and whose choices take `choice_ms`. */
function setUp({
  choice_ms = () => 1,
  load = () => Promise.resolve(),
}: { choice_ms?: () => number; load?: () => Promise<void> } = {}) {
  let now_ms = 0;
  let loads = 0;
  const events: AbrEvent[] = [];
  const loaded: AbrAlgorithm & PacePolicy = {
    name: 'planner',
    session: () => ({
      choose(state) {
        now_ms += choice_ms();
        return { rung: topRung(state.ladder), reason: 'plan' };
      },
      requiredThroughput: () => kbps(1),
      observe: (event) => void events.push(event),
    }),
    choosePace: () => ({ pace: kbps(1234), reason: 'least-pace' }),
  };
  const algorithm = latePlanner({
    load: async () => {
      loads++;
      await load();
      return loaded;
    },
    now: () => now_ms,
  });
  return { algorithm, session: algorithm.session(ABR_OPTIONS), events, loads: () => loads };
}

const stateWith = (buffer_s: number): AbrState =>
  createAbrState({ buffer: seconds(buffer_s), throughput: kbps(1000), bufferTarget: seconds(30) });

const loading = () => new Promise((resolve) => setTimeout(resolve));
const carefulChoice = (state: AbrState) => careful().session(ABR_OPTIONS).choose(state);

/** Creates the input of a pace policy. As in a session, `abr` is a wrapper of the algorithm's session. */
function paceInput(state: AbrState, { session }: ReturnType<typeof setUp>): PaceInput {
  const rung = session.choose(state).rung;
  return {
    phase: 'playing',
    state,
    rung,
    duration: seconds(4),
    maxBuffer: seconds(30),
    abr: { requiredThroughput: (...asked) => session.requiredThroughput(...asked) },
    carried: [],
  };
}

describe('latePlanner', () => {
  it('starts with the default algorithm, and loads the planner when 8 s are buffered', async () => {
    const { session, loads } = setUp();
    const low = stateWith(7.9);
    const { rung, reason } = carefulChoice(low);
    expect(session.choose(low)).toEqual({ rung, reason: `default, before the planner: ${reason}` });
    await loading();
    expect(loads()).toBe(0);
    expect(session.choose(stateWith(8)).reason).toMatch(/^default, before the planner: /);
    session.choose(stateWith(9));
    expect(loads()).toBe(1);
    await loading();
    const planned = stateWith(9);
    expect(session.choose(planned)).toEqual({ rung: topRung(planned.ladder), reason: 'plan' });
  });

  it('loads it at half of a short buffer target', async () => {
    const { session, loads } = setUp();
    session.choose({ ...stateWith(4), bufferTarget: seconds(8) });
    await loading();
    expect(loads()).toBe(1);
  });

  it('passes earlier events to the planner when it is loaded', async () => {
    const { session, events } = setUp();
    const seek: AbrEvent = { type: 'seek' };
    const stall: AbrEvent = { type: 'stall', duration: milliseconds(500) };
    session.observe?.(seek);
    session.choose(stateWith(8));
    session.observe?.(stall);
    await loading();
    session.observe?.(seek);
    expect(events).toEqual([seek, stall, seek]);
  });

  it('keeps the default algorithm, with a reason, if the planner cannot be loaded', async () => {
    const { session } = setUp({ load: () => Promise.reject(new Error('blocked')) });
    session.choose(stateWith(8));
    await loading();
    const state = stateWith(20);
    const { rung, reason } = carefulChoice(state);
    expect(session.choose(state)).toEqual({ rung, reason: `default, no planner (blocked): ${reason}` });
  });

  it('returns to the default after two choices in a row of more than 5 ms, not counting the first', async () => {
    // The first choice is not counted, because it includes compilation. The third and the fifth are slow, but not in a
    // row.
    const times_ms = [50, 5, 5.1, 5, 5.1, 5, 5.1, 5.1];
    const { session } = setUp({ choice_ms: () => times_ms.shift() ?? 0 });
    session.choose(stateWith(8));
    await loading();
    const reasons = Array.from({ length: 9 }, () => session.choose(stateWith(20)).reason);
    expect(reasons.slice(0, 8)).toEqual(Array(8).fill('plan'));
    expect(reasons[8]).toMatch(/^default, the planner is too slow: /);
  });

  it("uses the planner's pace if the planner chooses, and the default policy otherwise", async () => {
    const set = setUp();
    const before = paceInput(stateWith(8), set);
    const decision = set.algorithm.choosePace(before);
    expect(decision.pace).not.toBe(1234);
    // The pace is between c1 and c0 times the top bitrate.
    expect(decision.multiplier).toBeGreaterThanOrEqual(2.8);
    await loading();
    expect(set.algorithm.choosePace(paceInput(stateWith(8), set)).pace).toBe(1234);
    expect(set.algorithm.choosePace({ ...paceInput(stateWith(8), set), phase: 'initial' }).pace).toBeNull();
  });
});

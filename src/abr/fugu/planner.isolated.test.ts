import { describe, expect, it } from 'vitest';
import { topRung } from '../../film/ladder.ts';
import { ABR_OPTIONS, createAbrState } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { certain, ttpFile } from '../../testing/ttp-file.ts';
import { kbps, seconds } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { careful } from '../careful.ts';
import { fugu } from './fugu.ts';
import { planner } from './planner.ts';

/** A model that predicts half a second for each segment, so that the plan has the top rung. */
const optimistic = ttpFile({ shares: () => certain(1) });

/** The state after ten downloads at 1000 kbit/s, with which the default algorithm chooses a rung far below the top. */
function stateWith(buffer_s: number, given: Partial<AbrState> = {}): AbrState {
  const state = createAbrState({
    buffer: seconds(buffer_s),
    nextSegmentAt: seconds(60),
    segmentDuration: seconds(2),
    throughput: kbps(1000),
  });
  const previous = state.ladder[0];
  const download = createDownload(state, previous, kbps(1000));
  return { ...state, previous, downloads: Array.from({ length: 10 }, () => download), ...given };
}

const choose = (state: AbrState, options = {}) =>
  planner({ model: optimistic, ...options })
    .session(ABR_OPTIONS)
    .choose(state);
const carefulRung = (state: AbrState) => careful().session(ABR_OPTIONS).choose(state).rung;

describe('planner', () => {
  it("requests the default algorithm's rung while the buffer is below the guard, and the plan's above", () => {
    const below = stateWith(13.9);
    expect(carefulRung(below)).not.toBe(topRung(below.ladder));
    expect(choose(below).rung).toBe(carefulRung(below));
    expect(choose(below).reason).toMatch(/^guarded: /);
    const above = stateWith(14);
    expect(choose(above).rung).toBe(topRung(above.ladder));
    expect(choose(below, { guard_s: 10 }).rung).toBe(topRung(below.ladder));
  });

  it('keeps the previous rung above 10 s, although the guard would lower it', () => {
    const { ladder } = stateWith(12);
    const previous = topRung(ladder);
    expect(choose(stateWith(12, { previous })).rung).toBe(previous);
    expect(choose(stateWith(9, { previous })).rung.bitrate_kbps).toBeLessThan(previous.bitrate_kbps);
  });

  it("has the default algorithm's required throughput below 20 s, so that the buffer grows", () => {
    const session = planner({ model: optimistic }).session(ABR_OPTIONS);
    const state = stateWith(19);
    const top = topRung(state.ladder);
    const required = careful().session(ABR_OPTIONS).requiredThroughput(state, top);
    expect(session.requiredThroughput(state, top)).toBe(required);
    expect(session.requiredThroughput(stateWith(20), top)).toBeLessThan(required);
  });

  it.each([
    [{ guard_s: -1 }, 'option guard_s is -1, expected a number of at least 0'],
    [{ guard_s: null }, 'option guard_s is null, expected a number of at least 0'],
    [{ lambda: '2' }, "option lambda is '2', expected a number of at least 0"],
    [{ guard: 1 }, 'planner: unknown option guard'],
  ])('refuses %j', (options, message) => {
    expect(() => planner({ model: optimistic, ...(options as object) })).toThrow(message);
  });

  it.each([undefined, null])('reports missing options if they are %s', (missing) => {
    expect(() => planner(missing as never)).toThrow(`planner: options is ${missing}, expected an object`);
    expect(() => fugu(missing as never)).toThrow(`fugu: options is ${missing}, expected an object`);
  });
});

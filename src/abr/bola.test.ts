import { describe, expect, it } from 'vitest';
import type { Rung } from '../film/ladder.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { createLadder } from '../testing/session.ts';
import { kbps, milliseconds, seconds } from '../units.ts';
import type { AbrEvent, AbrSession, AbrState } from './abr.ts';
import { bola } from './bola.ts';

/**
 * The ladder of the example in dash.js's documentation of the BolaRule, with a buffer of 18 s. dash.js's constants give
 * other thresholds than the 5 and 10 s of that page. The options here are chosen for computation by hand: with a
 * minimum of 2 s and 18 s at the top, g = ln 5 / (18 / 2 - 1) = 0.2012 and V = 2 / g = 9.941.
 */
const ladder = createLadder([1000, 2500, 5000]);
const [low, middle, top] = ladder as unknown as [Rung, Rung, Rung];
const OPTIONS = { minimum_buffer_s: 2, buffer_per_rung_s: 1 };
const g = Math.log(5) / 8;
const v = 2 / g;
/** The buffer level Q at which (V (1 + ln(r/r_0) + g) - Q) / r is the same for two rungs. */
const threshold = (lower: number, higher: number) => {
  const value = (rate: number) => v * (1 + Math.log(rate / 1000) + g);
  return (higher * value(lower) - lower * value(higher)) / (higher - lower);
};

const createState = (buffer: number, previous: Rung, given: Partial<AbrState> = {}): AbrState =>
  createAbrState({
    ladder,
    buffer: seconds(buffer),
    bufferTarget: seconds(18),
    segmentDuration: seconds(2),
    previous,
    throughput: kbps(100_000),
    ...given,
  });
/** A session in which the insufficient-buffer rule applies (third segment) and a stall has cleared the placeholder. */
function playing(): AbrSession {
  const session = bola(OPTIONS).session(ABR_OPTIONS);
  for (const buffer of [0, 2, 2]) {
    const download = createDownload(createState(buffer, low), low, kbps(2000));
    session.observe?.({ type: 'download', download });
  }
  session.observe?.({ type: 'stall', duration: milliseconds(100) });
  return session;
}
const chosen = (session: AbrSession, state: AbrState) => session.choose(state).rung.bitrate_kbps;

describe('bola', () => {
  it('takes the rung with the highest score at the buffer level', () => {
    const [first, second] = [threshold(1000, 2500), threshold(2500, 5000)];
    expect(first).toBeGreaterThan(2);
    expect(second).toBeLessThan(18);
    const at = (buffer: number) => chosen(playing(), createState(buffer, low));
    expect([first - 0.01, first + 0.01, second - 0.01, second + 0.01].map(at)).toEqual([
      1000, 2500, 2500, 5000,
    ]);
  });

  it('begins with a rung whose segment arrives within 0.9 of the buffer level at 0.9 of the throughput', () => {
    const starting = () => bola(OPTIONS).session(ABR_OPTIONS);
    // At 0.9 of 3000 kbit/s, a segment of 2 s at 2500 kbit/s takes 1.85 s, which is 0.9 of 2.06 s.
    const next = (buffer: number) => chosen(starting(), createState(buffer, low, { throughput: kbps(3000) }));
    expect([0, 2.05, 2.07].map(next)).toEqual([2500, 1000, 2500]);
  });

  it('begins with the rung that 0.9 of the throughput sustains, and a placeholder keeps it', () => {
    const session = bola({ ...OPTIONS, sufficient_share: 1 }).session(ABR_OPTIONS);
    const begins = createState(0, low, { throughput: kbps(2800) });
    expect(session.choose(begins)).toMatchObject({ rung: middle, reason: 'startup' });
    // Two segments arrive slightly faster than they play.
    session.observe?.({ type: 'download', download: createDownload(begins, middle, kbps(2520)) });
    const second = { ...begins, buffer: seconds(2) };
    session.observe?.({ type: 'download', download: createDownload(second, middle, kbps(2520)) });
    expect(session.choose({ ...second, previous: middle })).toMatchObject({ rung: middle, reason: 'buffer' });
  });

  it('forgets the placeholder after a stall', () => {
    const session = bola({ ...OPTIONS, sufficient_share: 1 }).session(ABR_OPTIONS);
    const state = createState(2, top, { throughput: kbps(5600) });
    session.observe?.({ type: 'download', download: createDownload(state, top, kbps(5000)) });
    expect(chosen(session, state)).toBe(5000);
    session.observe?.({ type: 'stall', duration: milliseconds(500) });
    expect(chosen(session, { ...state, throughput: kbps(5000) })).toBe(1000);
  });

  it('chooses by throughput again after a seek', () => {
    const session = playing();
    session.observe?.({ type: 'seek' });
    expect(session.choose(createState(0, low)).reason).toBe('startup');
  });

  it('takes a rung whose next segment needs at most half of the buffer level', () => {
    // 2 s at 5000 kbit/s are 10,000 kbit, which take 7.7 s at 1300 kbit/s: half of 15.4 s.
    const rule = (buffer: number) => playing().choose(createState(buffer, top, { throughput: kbps(1300) }));
    expect(rule(15.3)).toMatchObject({ rung: middle, reason: 'insufficient-buffer' });
    expect(rule(15.5)).toMatchObject({ rung: top, reason: 'buffer' });
  });

  it('does not lower the rung after waiting with a full buffer', () => {
    const level = threshold(2500, 5000);
    const session = playing();
    const request = createState(level, top);
    session.choose(request);
    // The download takes 0.5 s, and then level + 1.5 s are buffered. After 3 s of waiting, the buffer is 1.5 s below
    // the needed level.
    session.observe?.({ type: 'download', download: createDownload(request, top, kbps(20_000)) });
    expect(chosen(session, createState(level - 1.5, top, { throughput: kbps(2000) }))).toBe(5000);
    expect(chosen(playing(), createState(level - 1.5, top, { throughput: kbps(2000) }))).toBe(2500);
  });

  it('does not lower the rung after a download that a pace has slowed', () => {
    const level = threshold(2500, 5000);
    const after = (pace_limited: boolean) => {
      const session = playing();
      const request = createState(level, top, { throughput: kbps(50_000) });
      session.choose(request);
      // 10,000 kbit take 5 s at the pace of 2000 kbit/s; the network needs only 0.2 s. The buffer is then 5 - 2 s lower.
      const download = createDownload(request, top, kbps(2000), { pace_limited, estimate_kbps: 50_000 });
      session.observe?.({ type: 'download', download });
      return chosen(session, createState(level - 3, top, { throughput: kbps(2000) }));
    };
    expect([after(true), after(false)]).toEqual([5000, 2500]);
  });

  it('switches up only to a rung that is sustainable for 30 s', () => {
    const buffer = threshold(2500, 5000) + 1;
    // 30 s of content at 5000 kbit/s drain the buffer by 0.6 s at 4900 kbit/s, and by 3.3 s at 4500 kbit/s.
    expect(chosen(playing(), createState(buffer, middle, { throughput: kbps(4900) }))).toBe(5000);
    expect(chosen(playing(), createState(buffer, middle, { throughput: kbps(4500) }))).toBe(2500);
  });
});

it('processes events even with a single rung, so that the queue stays short', () => {
  const session = bola(OPTIONS).session(ABR_OPTIONS);
  let read = 0;
  const event: AbrEvent = {
    get type() {
      read += 1;
      return 'seek' as const;
    },
  };
  session.observe?.(event);
  const single = createState(10, low, { ladder: createLadder([1000]) });
  expect(session.requiredThroughput(single, single.ladder[0])).toBe(0);
  expect(read).toBeGreaterThan(0);
  const before = read;
  session.requiredThroughput(single, single.ladder[0]);
  expect(read).toBe(before);
});

it.each([
  [{ minimum_buffer_s: 0 }, /^option minimum_buffer_s is 0, expected a number above 0/],
  [{ minimum_buffer_s: Infinity }, /^option minimum_buffer_s is Infinity, expected a number above 0$/],
  [{ throughput_share: 1.1 }, /^option throughput_share is 1.1, expected .* at most 1$/],
])('bola(%j) is refused', (options, message) => {
  expect(() => bola(options)).toThrow(message);
});

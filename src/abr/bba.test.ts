import { describe, expect, it } from 'vitest';
import { createLadder } from '../testing/session.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { createDownload } from '../testing/download.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { bytes, kbps, seconds } from '../units.ts';
import type { AbrSession, AbrState } from './abr.ts';
import { bba, type BbaOptions } from './bba.ts';

/**
 * The paper's buffer of 240 s with segments of 4 s: a reservoir of 90 s, and the top rate from 216 s on (Huang et al.
 * §4). The buffer target is one segment more than 240 s. The ladder has the paper's Netflix range, 235 to 5000 kbit/s.
 */
const PAPER = { reservoir: 90 / 240, upper_reservoir: 0.9 };
const [reservoir, cushion] = [90, 126];
const ladder = createLadder([235, 375, 560, 750, 1050, 1750, 2350, 3000, 3850, 5000]);
const createState = (buffer: number, previous_kbps?: number, given: Partial<AbrState> = {}): AbrState =>
  createAbrState({
    ladder,
    buffer: seconds(buffer),
    bufferTarget: seconds(244),
    segmentDuration: seconds(4),
    previous: ladder.find(({ bitrate_kbps }) => bitrate_kbps === previous_kbps),
    throughput: kbps(100_000),
    ...given,
  });
/** A session after the startup phase. */
function playing(options: BbaOptions = PAPER): AbrSession {
  const session = bba(options).session(ABR_OPTIONS);
  const download = createDownload(createState(100), ladder[0], kbps(1e5), { abr_reason: 'stays' });
  session.observe?.({ type: 'download', download });
  return session;
}
const chosenBitrate = (state: AbrState) => playing().choose(state).rung.bitrate_kbps;
/** The buffer level at which the map allows `rate`. */
const bufferAt = (rate: number) => reservoir + (cushion * (rate - 235)) / (5000 - 235);

describe("bba with the paper's reservoirs, its Algorithm 1", () => {
  it.each([
    ['in the reservoir takes the lowest rate', 89.9, 3000, 235],
    ['above the cushion takes the highest', 216, 235, 5000],
    ['stays while f(B) is between the next rates', bufferAt(1700), 1050, 1050],
    ['stays at f(B) just above the next lower rate', bufferAt(760), 1050, 1050],
    [
      'goes up to the highest rate below f(B) once that has come to the next higher one',
      bufferAt(2400),
      1050,
      2350,
    ],
    [
      'goes down to the lowest rate above f(B) once that has come to the next lower one',
      bufferAt(600),
      1050,
      750,
    ],
  ])('%s', (_, buffer, previous, expected) => {
    const steady = { throughput: kbps(previous) };
    // The throughput sustains the rung, so only the map decides.
    expect(chosenBitrate(createState(buffer, previous, previous < expected ? {} : steady))).toBe(expected);
  });

  it('uses reservoirs of 20% and 80% of the buffer by default', () => {
    const rate = (buffer: number) => playing({}).choose(createState(buffer, 1050)).rung.bitrate_kbps;
    expect([rate(47.9), rate(192)]).toEqual([235, 5000]);
    // In the middle of the buffer, at 120 s, the map allows (235 + 5000) / 2 = 2617.5 kbit/s.
    expect(rate(120)).toBe(2350);
  });

  it('uses the sizes of the upcoming segments', () => {
    // The segments of the 2350 kbit/s rung have twice the nominal size: 4700 kbit/s.
    const sizes = sizesFromLists(
      Array<number>(80).fill(4).map(seconds),
      new Map([['2350', Array<number>(80).fill(2_350_000).map(bytes)]]),
    );
    expect(chosenBitrate(createState(bufferAt(2400), 1750, { sizes }))).toBe(1750);
  });

  it('takes the next lower rung if the ladder no longer has the previous rung', () => {
    const state = createState(bufferAt(1700), 1050, { ladder: createLadder([235, 750, 5000]) });
    expect(chosenBitrate({ ...state, previous: { id: 'gone', bitrate_kbps: kbps(1050) } })).toBe(750);
  });

  it('can reach the top rung with a buffer of one segment', () => {
    expect(chosenBitrate(createState(4, 235, { bufferTarget: seconds(4) }))).toBe(5000);
  });
});

describe('bba between two rungs', () => {
  // At 1950 kbit/s, 30 s of content at 2350 kbit/s take 30 * 2350 / 1950 = 36.2 s and drain the buffer by 6.2 s.
  const throughput = kbps(1950);
  it('switches up only to a rung that is sustainable for 30 s', () => {
    // The level needed to keep the 2350 kbit/s rung is the one that allows the 1750 kbit/s rung.
    const keeps = bufferAt(1750);
    expect(
      chosenBitrate(createState(Math.max(bufferAt(2350), keeps + 6.3) + 0.1, 1750, { throughput })),
    ).toBe(2350);
    const scarce = kbps(400);
    // At 400 kbit/s, 30 s of content at 2350 kbit/s take 176 s.
    expect(chosenBitrate(createState(bufferAt(2350) + 0.1, 1750, { throughput: scarce }))).toBe(1750);
  });

  it('keeps its rung if the next 30 s refill the buffer', () => {
    const buffer = bufferAt(1750) - 0.5;
    expect(chosenBitrate(createState(buffer, 2350, { throughput: kbps(1950) }))).toBe(1750);
    expect(chosenBitrate(createState(buffer, 2350, { throughput: kbps(4000) }))).toBe(2350);
  });
});

describe('bba at the start', () => {
  const begins = (throughput: number) => {
    const session = bba().session(ABR_OPTIONS);
    return { session, ...session.choose(createState(0, undefined, { throughput: kbps(throughput) })) };
  };

  it('takes the highest rung that 0.9 of the throughput sustains', () => {
    expect(begins(2000)).toMatchObject({ rung: { bitrate_kbps: 1750 }, reason: 'startup' });
    expect(begins(1900).rung.bitrate_kbps).toBe(1050);
    expect(bba({ throughput_share: 1 }).session(ABR_OPTIONS).choose(createState(0)).rung.bitrate_kbps).toBe(
      5000,
    );
  });

  it('takes only a rung whose segment arrives within 0.9 of the buffer level at 0.9 of the throughput', () => {
    const { session, rung } = begins(2000);
    const next = (buffer: number) =>
      session.choose(createState(buffer, rung.bitrate_kbps, { throughput: kbps(2000) }));
    // At 0.9 of 2000 kbit/s, 4 s of content take 3.89 s at 1750 kbit/s (0.9 of 4.32 s), and 2.33 s at 1050 kbit/s (0.9
    // of 2.59 s).
    expect([4.33, 4.31, 2.6, 2.58].map((buffer) => next(buffer).rung.bitrate_kbps)).toEqual([
      1750, 1050, 1050, 750,
    ]);
    expect(next(0.1)).toMatchObject({ rung: { bitrate_kbps: 235 }, reason: 'startup' });
  });

  it('ends when the map allows the same rung, and begins again after a seek', () => {
    const { session, rung } = begins(2000);
    // Between 48 and 192 s, the map allows 1750 kbit/s from 48 + 144 * (1750 - 235) / (5000 - 235) = 93.8 s on, and the
    // next lower rung, 1050 kbit/s, from 72.6 s on.
    const state = createState(60, rung.bitrate_kbps, { throughput: kbps(2000) });
    const arrived = (given: Partial<Parameters<typeof createDownload>[3]> = {}) =>
      session.observe?.({ type: 'download', download: createDownload(state, rung, kbps(1700), given) });
    // After a large segment that shrinks the buffer, and an abandoned download, the startup phase continues.
    arrived();
    arrived({ outcome: 'abandoned' });
    arrived({ abr_reason: 'instead-of-abandoned' });
    expect(session.choose(state).reason).toBe('startup');
    expect(session.choose({ ...state, buffer: seconds(94) }).reason).toBe('stays');
    arrived({ abr_reason: 'stays' });
    expect(session.choose({ ...state, buffer: seconds(10) }).reason).toBe('reservoir');
    session.observe?.({ type: 'seek' });
    expect(session.choose({ ...state, buffer: seconds(10) }).reason).toBe('startup');
  });
});

describe('what bba needs', () => {
  it('is the throughput at which enough is buffered when the segment arrives', () => {
    const session = playing({});
    // The reservoirs end at 20% and 80% of 240 s: 48 and 192 s. The top rung is kept while the map allows the next
    // lower rung, 3850 kbit/s: from 48 + (192 - 48) * (3850 - 235) / (5000 - 235) = 157.25 s on.
    const level = 48 + (144 * 3615) / 4765;
    const state = createState(160, 5000);
    // Either the next segment's 20,000 kbit arrive within 160 + 4 s minus `level`, or this segment and 30 s of further
    // content, 170,000 kbit, arrive within 30 s more. The lower throughput suffices.
    const after = 164 - level;
    expect(session.requiredThroughput(state, ladder.at(-1) ?? ladder[0])).toBeCloseTo(
      Math.min(20_000 / after, 170_000 / (after + 30)),
      6,
    );
  });

  it('is infinite if no throughput fills the buffer enough, and 0 for the lowest rung', () => {
    const state = createState(100, 1050);
    expect(playing({}).requiredThroughput(state, ladder.at(-1) ?? ladder[0])).toBe(Infinity);
    expect(playing({}).requiredThroughput(state, ladder[0])).toBe(0);
  });
});

it.each([
  [{ reservoir: -0.1 }, /^option reservoir is -0.1, expected a number from 0 to 1$/],
  [{ reservoir: '0.1' as never }, /^option reservoir is '0.1', expected a number/],
  [{ reservoir: 0.8 }, /^option upper_reservoir is 0.8/],
  [{ upper_reservoir: 1.1 }, /^option upper_reservoir is 1.1/],
  [{ throughput_share: 0 }, /^option throughput_share is 0/],
])('bba(%j) is refused', (options, message) => {
  expect(() => bba(options)).toThrow(message);
});

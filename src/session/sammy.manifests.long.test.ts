import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeLadder, type Rung } from '../film/ladder.ts';
import { averageRate, bytes, kbps, milliseconds, seconds, type Kbps } from '../units.ts';
import { printReceipt, parseReceipt, RECEIPT_HEADERS, type Receipt } from '../wire/receipt.ts';
import { Sammy } from './sammy.ts';

/** A representation: its actual bitrate, and the bandwidth in the manifest as a multiple of it. Sorted by quality. */
interface Odd {
  readonly bitrate_kbps: number;
  readonly error: number;
}

interface World {
  readonly odd: readonly Odd[];
  readonly segment_s: number;
  /** For each segment, the ratio of its size to the size that the bitrate implies. */
  readonly sizes: readonly number[];
  readonly hidesTiming: boolean;
  readonly rtt_ms: number;
  /** Whether the server reports and applies paces. */
  readonly server: 'silent' | 'paces' | 'ignores';
  /** The receipts of earlier hops, for each response. */
  readonly lies: readonly Receipt[];
}

const SEGMENTS = 80;
/** The throughput of the network, as a multiple of the highest bitrate. */
const PLENTY = 10;
const BUFFER_S = 30;
/** The number of worlds. Each is a session, which takes as long as hundreds of other cases. */
const WORLDS = Number(process.env.CASES) / 50;
/** A shorter wait does not count as a rebuffer. */
const REBUFFER_S = 0.1;

const receipts = fc.record(
  {
    pace_kbps: fc.option(fc.integer({ min: 1, max: 1e8 }).map(kbps), { nil: null }),
    reason: fc.constantFrom('requested', 'unpaced', 'raised'),
    rtt_ms: fc.integer({ min: 0, max: 1e6 }).map(milliseconds),
    min_rtt_ms: fc.integer({ min: 0, max: 1e6 }).map(milliseconds),
    etp_kbps: fc.integer({ min: 1, max: 1e8 }).map(kbps),
  },
  { requiredKeys: ['reason'] },
);

const factors = (of: number) => fc.double({ min: -1, max: 1, noNaN: true }).map((power) => of ** power);
const worldsWith = (rtt_ms: fc.Arbitrary<number>) =>
  fc
    .record({
      lowest: fc.integer({ min: 100, max: 1000 }),
      steps: fc.array(fc.double({ min: 1.2, max: 3.5, noNaN: true }), { maxLength: 6 }),
      order: fc.array(fc.nat(100), { minLength: 7, maxLength: 7 }),
      isRanked: fc.boolean(),
      shared: fc.constantFrom(0.001, 0.2, 0.3, 1, 3, 1000),
      own: fc.array(factors(4), { minLength: 7, maxLength: 7 }),
      areOwn: fc.boolean(),
      segment_s: fc.double({ min: 0.5, max: 12, noNaN: true }),
      sizes: fc.array(factors(1.8), { minLength: 1, maxLength: 10 }),
      hidesTiming: fc.boolean(),
      rtt_ms,
      server: fc.constantFrom('silent' as const, 'paces' as const, 'ignores' as const),
      lies: fc.array(receipts, { maxLength: 6 }),
    })
    .map(({ lowest, steps, order, isRanked, shared, own, areOwn, ...world }): World => {
      const bitrates = steps.reduce<number[]>(
        (all, step) => [...all, (all.at(-1) ?? lowest) * step],
        [lowest],
      );
      const odd = bitrates.map((bitrate_kbps, index) => ({
        bitrate_kbps,
        error: shared * (areOwn ? (own[index] ?? 1) : 1),
      }));
      // Without a quality ranking, dash.js orders by bandwidth.
      const ranks = new Map(odd.map((rung, index) => [rung, order[index] ?? 0]));
      odd.sort((a, b) =>
        isRanked
          ? (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)
          : a.bitrate_kbps * a.error - b.bitrate_kbps * b.error,
      );
      return { odd, ...world };
    });

const worlds = worldsWith(fc.integer({ min: 1, max: 10 }));

/** Returns the receipt that a player reads if each of several hops has appended its own. */
function heard(hops: readonly Receipt[]): Receipt {
  const printed = hops.map((hop) => printReceipt(hop));
  return parseReceipt((name) =>
    printed
      .map((headers) => headers[name as (typeof RECEIPT_HEADERS)[number]])
      .filter((text) => text !== undefined)
      .join(', '),
  );
}

/**
 * Whether one of the last five segments is below the rung of stock dash.js: the highest whose bandwidth in the manifest
 * is at most 0.9 of the throughput.
 */
const isBelowStock = ({ odd }: World, { played, capacity }: ReturnType<typeof play>): boolean => {
  const affordable = odd.map(({ bitrate_kbps, error }) => bitrate_kbps * error <= 0.9 * capacity);
  return Math.min(...played.slice(-5).map(({ index }) => index)) < affordable.lastIndexOf(true);
};
/**
 * Whether the round trip can hide the rung of stock dash.js. The throughput of a download includes the round trip (Sammy
 * Appendix A), but stock dash.js excludes it, and so does a receipt that has its duration. For a short segment of a rung
 * with a low bitrate, the round trip is most of the time.
 */
const isHiddenByRoundTrip = (
  { odd, sizes, segment_s, rtt_ms, server }: World,
  { capacity }: ReturnType<typeof play>,
): boolean => {
  const affordable = odd
    .map(({ bitrate_kbps, error }) => bitrate_kbps * error)
    .filter((rate) => rate <= 0.9 * capacity);
  const smallest_kbit =
    Math.min(...odd.map(({ bitrate_kbps }) => bitrate_kbps)) * segment_s * Math.min(...sizes);
  const seen_kbps = smallest_kbit / (rtt_ms / 1000 + smallest_kbit / capacity);
  return server === 'silent' && seen_kbps < 2 * Math.max(...affordable);
};
const longestStall_s = ({ played }: ReturnType<typeof play>): number =>
  Math.max(...played.map(({ stalled_s }) => stalled_s));

/**
 * Plays a session on a link of ten times the highest bitrate. Returns the rungs in order, and how long playback waited
 * for each.
 */
function play({ odd, segment_s, sizes, hidesTiming, rtt_ms, server, lies }: World) {
  const capacity = kbps(PLENTY * Math.max(...odd.map(({ bitrate_kbps }) => bitrate_kbps)));
  let now_ms = 0;
  const now = () => milliseconds(now_ms);
  const sammy = new Sammy({}, { now, today: now });
  const all = odd.map(({ bitrate_kbps, error }, index) => ({
    id: `${index}`,
    bandwidth: bitrate_kbps * error * 1000,
  }));
  const ladder = makeLadder(all);
  if (!ladder) throw new Error('no ladder');
  const paces: { rung: Rung; requested: Kbps; real: Kbps }[] = [];
  let buffer = 0;
  const played = Array.from({ length: SEGMENTS }, (_, index) => {
    const state = {
      ...{ mediaType: 'video' as const, ladder, lowLatency: false, playbackRate: 1 },
      ...{ buffer: seconds(buffer), playable: () => seconds(buffer) },
      ...{
        maxBuffer: seconds(BUFFER_S),
        bufferTarget: seconds(18),
        nextSegmentAt: seconds(index * segment_s),
      },
    };
    const { rung } = sammy.chooseRung(state);
    const decision = sammy.decide(state, rung, seconds(segment_s));
    const bitrate = odd[Number(rung.id)]?.bitrate_kbps ?? NaN;
    const size = bytes(bitrate * 125 * segment_s * (sizes[index % sizes.length] ?? 1));
    const requested = decision.requested_kbps as Kbps | null;
    if (requested !== null) paces.push({ rung, requested, real: kbps(bitrate) });
    const applied = server === 'paces' ? requested : null;
    const download_ms = rtt_ms + (size * 8) / Math.min(capacity, applied ?? Infinity);
    const own: Receipt[] =
      server === 'silent'
        ? []
        : [{ pace_kbps: applied, reason: 'requested', min_rtt_ms: milliseconds(rtt_ms) }];
    const lie = lies[index % lies.length];
    now_ms += download_ms;
    // A silent server adds no receipt, so the receipt of an earlier hop would be the last one and would count.
    const receipt = heard(server === 'silent' || !lie ? own : [lie, ...own]);
    const from_cache = hidesTiming ? undefined : false;
    sammy.complete(decision, { outcome: 'completed', size_bytes: size, download_ms, receipt, from_cache });
    if (index === 0) sammy.playing();
    const stalled_s = index === 0 ? 0 : Math.max(0, download_ms / 1000 - buffer);
    buffer = Math.max(0, buffer - (index === 0 ? 0 : download_ms / 1000)) + segment_s;
    const idle_s = Math.max(0, buffer - BUFFER_S);
    now_ms += idle_s * 1000;
    buffer -= idle_s;
    sammy.playhead(seconds(index * segment_s), () => seconds(buffer));
    return { index: Number(rung.id), stalled_s, rate: averageRate(size, seconds(download_ms / 1000)) };
  });
  return { played, capacity, paces };
}

describe('on a link of ten times the highest bitrate, with any manifest, timing and hops', () => {
  it('no rung stays below the best rung of stock, and nothing stalls', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const session = play(world);
        if (!isHiddenByRoundTrip(world, session)) expect(isBelowStock(world, session)).toBe(false);
        expect(longestStall_s(session)).toBeLessThan(REBUFFER_S);
      }),
      { numRuns: WORLDS },
    );
  });

  it('holds at long distances, too, if receipts have the round trip', () => {
    const far = fc.sample(worldsWith(fc.integer({ min: 50, max: 100 })), { numRuns: 1000, seed: 7 });
    const sessions = far.map((world) => ({ world, session: play(world) }));
    expect(sessions.filter(({ world, session }) => isBelowStock(world, session))).toEqual([]);
    expect(Math.max(...sessions.map(({ session }) => longestStall_s(session)))).toBeLessThan(REBUFFER_S);
  }, 120_000);

  it('no pace is below the actual bitrate of a rung', () => {
    fc.assert(
      fc.property(worlds, (world) => {
        const { paces } = play({ ...world, sizes: [1] });
        const seen = new Set<string>();
        for (const { rung, requested, real } of paces) {
          if (seen.has(rung.id)) expect(requested).toBeGreaterThanOrEqual(real);
          seen.add(rung.id);
        }
      }),
      { numRuns: WORLDS / 2 },
    );
  });
});

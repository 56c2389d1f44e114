/** How Fugu plans and paces with its model, and which options it refuses. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../../decision.ts';
import { topRung } from '../../film/ladder.ts';
import { algorithm1 } from '../../pace/algorithm-1.ts';
import { ABR_OPTIONS } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { createLadder } from '../../testing/session.ts';
import { kbps, milliseconds, seconds } from '../../units.ts';
import type { Receipt } from '../../wire/receipt.ts';
import type { AbrSession, AbrState } from '../abr.ts';
import { hyb } from '../hyb.ts';
import { fugu } from './fugu.ts';
import { byVariant, createFuguState, RECEIPT, sessionWith } from '../../testing/fugu-session.ts';

describe('fugu', () => {
  it('plans by the predicted times, with TCP and without', () => {
    const session = sessionWith({ model: byVariant });
    const fast = session.choose(createFuguState());
    expect(fast.rung).toBe(topRung(createFuguState().ladder));
    expect(fast.reason).toBe('plan by bitrate');
    // If every segment takes 5 s regardless of its size, playback stalls with any rung, so a low rung has no advantage.
    expect(session.choose(createFuguState({ receipt: { cwnd_packets: 20 } })).reason).toBe(
      'plan by bitrate without TCP',
    );
  });

  it('treats a receipt with implausible values as incomplete', () => {
    const session = sessionWith({ model: byVariant });
    for (const lie of [
      { rtt_ms: -5 },
      { cwnd_packets: 1e12 },
      { tcp_state: 'in_flight_packets=x,delivery_kbps=1e30' },
    ])
      expect(session.choose(createFuguState({ receipt: { ...RECEIPT, ...lie } as Receipt })).reason).toBe(
        'plan by bitrate without TCP',
      );
  });

  it('gives the same answers as a new session, whatever was asked before', () => {
    const model = readFileSync(new URL('../../../models/fugu-ttp.bin', import.meta.url));
    const state = createFuguState();
    const downloadsAt = (throughput_kbps: number, count = 1) =>
      Array<CompletedDecision>(count).fill(createDownload(state, state.ladder[0], kbps(throughput_kbps)));
    const variations: Partial<AbrState>[] = [
      {},
      { buffer: seconds(10.4) },
      { buffer: seconds(4) },
      { previous: state.ladder[0] },
      { playbackRate: 2 },
      { lowLatency: true },
      { downloads: downloadsAt(400) },
      { downloads: downloadsAt(900) },
      { downloads: downloadsAt(3000, 8) },
      { receipt: { ...RECEIPT, rtt_ms: milliseconds(400) } },
      { receipt: undefined },
      { segmentDuration: seconds(4) },
      { bufferTarget: seconds(2) },
      { ladder: createLadder([200, 600, 1400, 2200, 3100]) },
      { ladder: createLadder([300, 1500]) },
    ];
    const newSession = () => {
      const session = sessionWith({ model });
      const download = {
        ...createDownload(state, topRung(state.ladder), kbps(2000)),
        segment_duration_s: 100,
      };
      session.observe?.({ type: 'download', download });
      return session;
    };
    const firstChoice = (session: AbrSession, given: Partial<AbrState>) => {
      const asked = { ...state, ...given };
      const choice = session.choose(asked);
      // When the pace of a rung is chosen, this rung is already the previous rung.
      return { choice, pace: session.requiredThroughput({ ...asked, previous: choice.rung }, choice.rung) };
    };
    const expected = variations.map((each) => firstChoice(newSession(), each));
    for (const before of variations) {
      variations.forEach((each, index) => {
        const session = newSession();
        firstChoice(session, before);
        expect(firstChoice(session, each)).toEqual(expected[index]);
      });
    }
    const different = new Set(expected.map(({ choice, pace }) => `${choice.rung.id} ${pace}`));
    expect(different.size).toBeGreaterThan(variations.length / 3);
  });

  describe('as a pace policy', () => {
    const algorithm = fugu({ model: byVariant });
    const choosePace = (state: AbrState, phase: 'playing' | 'initial' = 'playing') =>
      algorithm.choosePace({
        phase,
        state,
        rung: topRung(state.ladder),
        duration: seconds(2),
        maxBuffer: seconds(30),
        abr: algorithm.session(ABR_OPTIONS),
        carried: [],
      });

    it("requests the lowest pace that keeps the plan's value, but at least the bitrate", () => {
      // A segment of 2 s at 3300 kbit/s has 6600 kbit. With 20 s buffered, the plan's five segments may take 2 s each,
      // so the bitrate suffices as pace. With 1 s buffered, it does not.
      expect(choosePace(createFuguState({ buffer: seconds(20) }))).toMatchObject({
        pace: 3300,
        reason: 'raised-to-segment-bitrate',
      });
      const { pace, reason } = choosePace(createFuguState({ buffer: seconds(1) }));
      // RTT + 6600 kbit / pace <= 1 s with an RTT of 0.05 s requires 6948 kbit/s, or slightly less with a tolerance of
      // 0.05 dB, which is 0.5 ms of stall.
      expect(reason).toBe('least-pace');
      expect(pace).toBeGreaterThanOrEqual(6900);
      expect(pace).toBeLessThanOrEqual(7000);
    });

    it('gives the same pace with another fugu() object that has the same model', () => {
      const input = {
        phase: 'playing',
        state: createFuguState({ buffer: seconds(1) }),
        rung: topRung(createFuguState().ladder),
        duration: seconds(2),
        maxBuffer: seconds(30),
        abr: algorithm.session(ABR_OPTIONS),
        carried: [],
      } as const;
      const { pace, reason } = fugu({ model: byVariant }).choosePace(input);
      expect(reason).toBe('least-pace');
      expect(pace).toBe(algorithm.choosePace({ ...input, state: { ...input.state } }).pace);
    });

    it.each([1e12, 125_000])('ignores a round-trip time of %d ms', (rtt_ms) => {
      const at = (given: Partial<Receipt>) =>
        choosePace(createFuguState({ buffer: seconds(20), receipt: { cwnd_packets: 20, ...given } }));
      expect(at({ rtt_ms: milliseconds(rtt_ms) })).toEqual(at({}));
      // A plausible round-trip time of 30 s adds 30 s to each download.
      expect(at({ rtt_ms: milliseconds(30_000) })).toMatchObject({ pace: null, reason: 'urgent' });
    });

    it('is urgent if a plan needs more than 3.2 times the top bitrate times the playback rate', () => {
      const reasonAt = (needed_kbps: number, playbackRate: number): string => {
        const session = algorithm.session(ABR_OPTIONS);
        const state = createFuguState({ buffer: seconds(20), playbackRate });
        const input = {
          ...{ phase: 'playing' as const, state, rung: topRung(state.ladder), duration: seconds(2) },
          ...{ maxBuffer: seconds(30), carried: [] },
        };
        const abr: AbrSession = {
          choose: (given) => session.choose(given),
          requiredThroughput(given, rung) {
            session.requiredThroughput(given, rung);
            return kbps(needed_kbps);
          },
        };
        return algorithm.choosePace({ ...input, abr }).reason;
      };
      // The limit is 3.2 * 3300 = 10,560 kbit/s.
      expect([10_559, 10_561].map((needed) => reasonAt(needed, 1))).toEqual(['least-pace', 'urgent']);
      expect([21_119, 21_121].map((needed) => reasonAt(needed, 2))).toEqual(['least-pace', 'urgent']);
      // Slow playback does not lower the limit, because the viewer may end it.
      expect([10_559, 10_561].map((needed) => reasonAt(needed, 0.5))).toEqual(['least-pace', 'urgent']);
    });

    it('follows Algorithm 1 for another algorithm, for which it has no plan', () => {
      const state = createFuguState({ buffer: seconds(20), previous: createFuguState().ladder[0] });
      const input = {
        phase: 'playing',
        state,
        rung: state.ladder[0],
        duration: seconds(2),
        maxBuffer: seconds(30),
        carried: [],
      } as const;
      const other = { ...input, abr: hyb().session(ABR_OPTIONS) };
      expect(algorithm.choosePace(other)).toEqual(algorithm1({ c0: 3.2, c1: 2.8 }).choosePace(other));
      const own = { ...input, abr: algorithm.session(ABR_OPTIONS) };
      expect(['least-pace', 'raised-to-segment-bitrate']).toContain(algorithm.choosePace(own).reason);
    });

    it('requests no pace before playback, or if no pace suffices', () => {
      expect(choosePace(createFuguState(), 'initial')).toEqual({ pace: null, reason: 'initial' });
      expect(choosePace(createFuguState({ buffer: seconds(0) }))).toMatchObject({
        pace: null,
        reason: 'urgent',
      });
    });
  });

  it('rejects a warn that is not a function', () => {
    expect(() => fugu({ model: byVariant, warn: true as never })).toThrow(
      /^option warn is true, expected a function$/,
    );
  });

  it('refuses options out of range, by name', () => {
    expect(() => fugu({ model: byVariant, tolerance_db: -1 })).toThrow('option tolerance_db is -1');
    expect(() => fugu({ model: byVariant, mu_per_s: 0 })).toThrow('option mu_per_s is 0');
  });
});

import { describe, expect, it } from 'vitest';
import { chooseInitialBitrate } from './initial-bitrate.ts';
import { bba } from '../abr/bba.ts';
import { bola } from '../abr/bola.ts';
import { mpcHm } from '../abr/mpc/mpc-hm.ts';
import { scenarioMpc } from '../abr/mpc/scenario-mpc.ts';
import type { AbrAlgorithm, AbrEvent, AbrOptions, AbrSession, AbrState } from '../abr/abr.ts';
import { topRung } from '../film/ladder.ts';
import { sizesFromSidecar } from '../film/sidecar.ts';
import { fullOrLowest } from '../testing/full-or-lowest.ts';
import { ladder, createSession } from '../testing/session.ts';
import { kbps, milliseconds, seconds } from '../units.ts';
import { LATEST } from './latest.ts';

/** An algorithm that records its calls, and takes the lowest rung. */
function recorder(overrides: Partial<AbrSession> = {}) {
  const seen = { options: [] as AbrOptions[], states: [] as AbrState[], events: [] as AbrEvent[] };
  const algorithm: AbrAlgorithm = {
    name: 'recorder',
    session(options) {
      seen.options.push(options);
      return {
        choose(state) {
          seen.states.push(state);
          return { rung: state.ladder[0], reason: 'recorded' };
        },
        requiredThroughput: () => kbps(0),
        observe: (event) => seen.events.push(event),
        ...overrides,
      };
    },
  };
  return { seen, algorithm };
}

describe('an algorithm', () => {
  it("receives all of Sammy's state", () => {
    const { seen, algorithm } = recorder();
    const sidecar = sizesFromSidecar({
      version: 1,
      segment_duration_s: [2, 2],
      representations: { 300: { segment_bytes: [75_000, 80_000], segment_ssim_db: [12, 13] } },
    });
    const { sammy, decide, segment, stateOf, pass } = createSession({ abr: algorithm, sidecar });
    decide(0);
    const receipt = { pace_kbps: null, rtt_ms: milliseconds(20), cwnd_packets: 10, etp_kbps: kbps(9000) };
    for (let count = 0; count < 11; count++) segment(0, 2000 + count, 1, receipt);
    sammy.playing();
    pass(1);
    sammy.waiting();
    pass(0.5);
    sammy.playing();
    sammy.seeking(seconds(0));
    sammy.chooseRung(stateOf(4, { nextSegmentAt: seconds(2), playbackRate: 1.5 }));

    const state = seen.states.at(-1);
    expect(seen.states[0]).toMatchObject({ downloads: [], throughput: 1000 });
    expect(seen.states[0]?.previous).toBeUndefined();
    expect(state).toMatchObject({
      mediaType: 'video',
      buffer: 4,
      maxBuffer: 30,
      bufferTarget: 18,
      playbackRate: 1.5,
      segmentDuration: 2,
      previous: { id: '300' },
      lowLatency: false,
      throughput: sammy.estimate(),
      receipt,
    });
    // The latest ten of eleven downloads, with complete records.
    expect(state?.downloads.map(({ achieved_kbps }) => Math.round(achieved_kbps ?? 0))).toEqual(
      Array.from({ length: 10 }, (_, index) => 2001 + index),
    );
    expect(state?.downloads[0]).toMatchObject({
      download_ms: 1000,
      rtt_ms: 20,
      cwnd_packets: 10,
      etp_kbps: 9000,
    });
    expect(state?.sizes?.upcoming('300', seconds(2), seconds(1))).toMatchObject([
      { size: 80_000, duration: 2, ssim_db: 13 },
    ]);
    expect(seen.events.map(({ type }) => type)).toEqual([
      ...Array<string>(11).fill('download'),
      'stall',
      'seek',
    ]);
    expect(seen.events[11]).toEqual({ type: 'stall', duration: 500 });
  });

  it('receives the segment duration of its media type, and whether segments play while they arrive', () => {
    const { seen, algorithm } = recorder();
    const { sammy, decide, stateOf } = createSession({ abr: algorithm });
    const sound = stateOf(0, { mediaType: 'audio', lowLatency: true });
    decide(0);
    sammy.decide(sound, ladder[0], seconds(10));
    sammy.chooseRung(stateOf(2));
    expect(seen.states.at(-1)).toMatchObject({ segmentDuration: 2, lowLatency: false });
    decide(2);
    sammy.chooseRung(sound);
    expect(seen.states.at(-1)).toMatchObject({ segmentDuration: 10, lowLatency: true });
  });

  it('that is not called for long because of a single rung receives only the latest events', () => {
    const { seen, algorithm } = recorder();
    const { sammy, stateOf } = createSession({ abr: algorithm, pacing: false });
    const single = stateOf(10, { ladder: [ladder[0]] });
    for (let count = 0; count < LATEST + 500; count++) {
      sammy.seeking(seconds(0));
      expect(sammy.chooseRung(single).reason).toBe('single-rung');
    }
    expect(seen.events).toHaveLength(0);
    sammy.chooseRung(stateOf(10));
    expect(seen.events).toHaveLength(LATEST);
  });

  it('does not receive failed or cached downloads', () => {
    const { seen, algorithm } = recorder();
    const { sammy, decide, stateOf } = createSession({ abr: algorithm });
    const transfer = { size_bytes: 1000, download_ms: 10, receipt: {}, from_cache: false };
    sammy.complete(decide(0), { ...transfer, outcome: 'failed' });
    sammy.complete(decide(0), { ...transfer, outcome: 'completed', from_cache: true });
    sammy.complete(decide(0), { ...transfer, outcome: 'abandoned' });
    sammy.chooseRung(stateOf(0));
    expect(seen.events).toMatchObject([{ type: 'download', download: { outcome: 'abandoned' } }]);
  });

  it('has a session for each media type, until the algorithm or one of its options changes', () => {
    const { seen, algorithm } = recorder();
    const { sammy } = createSession({ abr: algorithm, beta: 0.5 });
    expect(seen.options).toMatchObject([{ beta: 0.5, lookahead_s: 10 }, { beta: 0.5 }]);
    sammy.update({ c0: 2, pacing: false });
    expect(seen.options).toHaveLength(2);
    sammy.update({ beta: 0.6 });
    expect(seen.options).toHaveLength(4);
    sammy.update({ abr: 'hyb' });
    sammy.update({ abr: algorithm });
    expect(seen.options).toHaveLength(6);
  });

  it.each([
    [{}, /^the session of half is .*, expected choose\(\) and requiredThroughput\(\)$/],
    [{ choose: () => undefined }, /^the session of half is /],
    [undefined, /^the session of half is undefined/],
  ])('that opens %j is refused immediately, and nothing changes', (opened, message) => {
    const half = { name: 'half', session: () => opened as AbrSession };
    expect(() => createSession({ abr: half })).toThrow(message);
    const { sammy } = createSession();
    expect(() => sammy.update({ abr: half, c0: 2 })).toThrow(message);
    expect(sammy.options).toMatchObject({ abr: 'hyb', c0: 3.2 });
  });

  it('that picks no rung of the ladder causes an Error', () => {
    const rung = { id: 'none', bitrate_kbps: kbps(1) };
    const { algorithm } = recorder({ choose: () => ({ rung, reason: 'wrong' }) });
    const { sammy, stateOf } = createSession({ abr: algorithm });
    expect(() => sammy.chooseRung(stateOf(0))).toThrow(
      "the algorithm's choice is 'none', expected a rung of the ladder",
    );
  });

  it('may pick a rung of an earlier ladder that still exists', () => {
    const { algorithm } = recorder({ choose: () => ({ rung: { ...topRung(ladder) }, reason: 'kept' }) });
    const { sammy, stateOf } = createSession({ abr: algorithm });
    expect(sammy.chooseRung(stateOf(0)).rung).toBe(topRung(ladder));
  });

  it.each([Number.NaN, -1, undefined])('that requires %s kbit/s causes an Error', (required) => {
    const { algorithm } = recorder({ requiredThroughput: () => required as never });
    const { sammy, decide } = createSession({ abr: algorithm });
    sammy.playing();
    expect(() => decide(10)).toThrow(/^the algorithm's throughput is .*expected kbit\/s, 0 or Infinity$/);
  });

  it('that throws in observe fails only at its next call', () => {
    const { algorithm } = recorder({
      observe: () => {
        throw new Error('observed');
      },
    });
    const { sammy, segment, stateOf } = createSession({ abr: algorithm });
    expect(segment(0, 2000, 1)).toMatchObject({ achieved_kbps: 2000 });
    expect(() => sammy.chooseRung(stateOf(2))).toThrow('observed');
    expect(sammy.chooseRung(stateOf(2)).reason).toBe('recorded');
  });
});

describe('the initial bitrate', () => {
  it("is HYB's β times the throughput, for HYB only", () => {
    expect(chooseInitialBitrate(createSession({ beta: 0.5 }).sammy)).toBeCloseTo(500, 6);
    // This algorithm accepts any throughput for every rung.
    expect(chooseInitialBitrate(createSession({ beta: 0.5, abr: recorder().algorithm }).sammy)).toBe(1000);
    // BBA uses 0.9 of the throughput of 1000 kbit/s, and the second segment must arrive within 0.9 of the first
    // segment's duration: 0.9 × 0.9 × 1000 = 810 kbit/s.
    expect(chooseInitialBitrate(createSession({ abr: bba() }).sammy)).toBeCloseTo(810, 6);
    // This algorithm begins with the lowest rung at any throughput.
    expect(chooseInitialBitrate(createSession({ abr: fullOrLowest }).sammy)).toBe(0);
  });

  it.each([bba(), bola(), mpcHm(), scenarioMpc()])(
    'of $name is the same in the middle of a session, which does not notice that it was asked',
    (abr) => {
      const played = (asks: boolean): number[] => {
        const { sammy, segment } = createSession({ abr });
        const first = chooseInitialBitrate(sammy);
        sammy.playing();
        return [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 18, 18].map((buffer) => {
          const { bitrate_kbps } = segment(buffer, 20_000, 0.3);
          if (asks) expect(chooseInitialBitrate(sammy)).toBe(first);
          return bitrate_kbps;
        });
      };
      const undisturbed = played(false);
      expect(undisturbed.at(-1)).toBeGreaterThan(ladder[0].bitrate_kbps);
      expect(played(true)).toEqual(undisturbed);
    },
  );
});

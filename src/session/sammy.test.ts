import { describe, expect, it } from 'vitest';
import { chooseInitialBitrate } from './initial-bitrate.ts';
import { topRung } from '../film/ladder.ts';
import type { PaceInput, PacePolicy } from '../pace/pace.ts';
import { smooth } from '../pace/smooth.ts';
import type { MediaState } from './state.ts';
import { sizesFromSidecar } from '../film/sidecar.ts';
import { ladder, createLadder, SEGMENT_S, createSession } from '../testing/session.ts';
import { bytes, kbps, seconds } from '../units.ts';

describe('a session', () => {
  it('requests no pace before playback starts, and a pace for every segment afterward', () => {
    const { sammy, decide, pass } = createSession();
    sammy.playbackRequested();
    expect(decide(0)).toMatchObject({ phase: 'initial', requested_kbps: null, pace_reason: 'initial' });
    pass(0.2);
    // A wait before the first frame is part of the initial phase.
    sammy.waiting();
    expect(decide(2)).toMatchObject({ sequence: 1, at_ms: 200, requested_kbps: null });
    sammy.playing();
    expect(sammy.summary.play_delay_ms).toBeCloseTo(200, 9);
    // The paces are 3.2 and 2.8 times 3300, rounded up to hundreds.
    expect(decide(0)).toMatchObject({ phase: 'playing', requested_kbps: 10_600, pace_reason: 'algorithm-1' });
    expect(decide(30)).toMatchObject({ phase: 'playing', requested_kbps: 9300 });
    expect(sammy.summary.rebuffer_count).toBe(0);
  });

  it('requests no pace for the replacement of the segment that is playing', () => {
    const { decide, pass, sammy } = createSession();
    decide(0);
    pass(0.2);
    sammy.playing();
    expect(decide(1.98, { playhead: seconds(0.02) })).toMatchObject({
      phase: 'recovery',
      requested_kbps: null,
    });
    expect(sammy.phase).toBe('playing');
    // A segment after the playhead is paced.
    expect(decide(1.5, { playhead: seconds(0.5), nextSegmentAt: seconds(2) })).toMatchObject({
      phase: 'playing',
      requested_kbps: 10_600,
    });
  });

  it('calls a custom policy in every phase, and gives audio the pace of video', () => {
    const inputs: PaceInput[] = [];
    const { decide, sammy } = createSession({
      ceiling_kbps: 12_000,
      pace: {
        name: 'naive',
        choosePace: (input) => {
          inputs.push(input);
          return { pace: kbps(4 * topRung(input.state.ladder).bitrate_kbps), reason: 'four times the top' };
        },
      },
    });
    expect(decide(0)).toMatchObject({ requested_kbps: 12_000, pace_reason: 'lowered-to-ceiling' });
    const audio = { mediaType: 'audio' as const, ladder: createLadder([96]) };
    expect(decide(0, audio)).toMatchObject({ requested_kbps: 12_000, pace_reason: 'as-video' });
    sammy.update({ ceiling_kbps: Infinity });
    sammy.playing();
    expect(decide(2)).toMatchObject({
      requested_kbps: 13_200,
      pace_reason: 'four times the top',
      multiplier: null,
    });
    expect(inputs.map(({ phase }) => phase)).toEqual(['initial', 'initial', 'playing']);
    expect(inputs[2]).toMatchObject({
      maxBuffer: 30,
      duration: 2,
      rung: { id: '700' },
      state: { buffer: 2 },
    });
  });

  it('does not pace audio if video is urgent, because they may share a connection', () => {
    const { decide, sammy } = createSession({ abr: 'hyb' });
    const audio = { mediaType: 'audio' as const, ladder: createLadder([96]) };
    sammy.playing();
    expect(decide(0.1)).toMatchObject({ requested_kbps: null, pace_reason: 'urgent' });
    expect(decide(4, audio)).toMatchObject({ requested_kbps: null, pace_reason: 'as-video' });
    expect(decide(8).requested_kbps).toBeGreaterThan(0);
    expect(decide(8, audio).requested_kbps).toBeGreaterThan(0);
  });

  it('counts the play delay from the request for playback', () => {
    const { sammy, pass } = createSession();
    pass(10);
    sammy.playbackRequested();
    pass(0.5);
    sammy.playing();
    pass(5);
    sammy.playing();
    expect(sammy.summary.play_delay_ms).toBeCloseTo(500, 9);
  });

  it('recovers unpaced from a stall until 10 s are buffered', () => {
    const { sammy, decide, pass } = createSession();
    sammy.playing();
    sammy.waiting();
    pass(0.05);
    expect(decide(0).phase).toBe('playing');
    pass(0.05);
    // The phase changes during the stall.
    expect(decide(0)).toMatchObject({ phase: 'recovery', requested_kbps: null, pace_reason: 'recovery' });
    pass(1);
    sammy.playing();
    expect(decide(9.9).phase).toBe('recovery');
    expect(decide(10)).toMatchObject({ phase: 'playing', pace_reason: 'algorithm-1' });
    expect(decide(5).phase).toBe('playing');
    expect(sammy.summary.rebuffer_count).toBe(1);
  });

  it('recovers unpaced from a seek that emptied the buffer, without a rebuffer', () => {
    const { sammy, decide, pass } = createSession();
    sammy.playing();
    sammy.seeking(seconds(5));
    expect(decide(5).phase).toBe('playing');
    sammy.seeking(seconds(0));
    sammy.waiting();
    pass(2);
    expect(decide(0)).toMatchObject({ phase: 'recovery', requested_kbps: null });
    sammy.playing();
    expect(decide(10).phase).toBe('playing');
    expect(sammy.summary.rebuffer_count).toBe(0);
  });

  it('counts and recovers from a stall that the viewer ends by a pause or a seek', () => {
    for (const giveUp of ['pause', 'seek']) {
      const { sammy, decide, pass } = createSession();
      sammy.playing();
      sammy.waiting();
      pass(3);
      if (giveUp === 'pause') sammy.paused();
      else sammy.seeking(seconds(5));
      pass(60);
      sammy.playing();
      expect(sammy.summary.rebuffer_count).toBe(1);
      expect(decide(5).phase).toBe('recovery');
    }
  });

  it.each([
    // A player with a buffer of 6 s requests a segment of 2 s below 4 s, and has over 4 s after the segment's arrival.
    [6, 4],
    [12, 10],
    [18, 10],
    [4, 2],
    [2, 2],
  ])('with a buffer of up to %d s waits for a reachable %d s', (target, safe) => {
    const { sammy, decide, pass } = createSession();
    const given = { bufferTarget: seconds(target) };
    sammy.playing();
    sammy.waiting();
    pass(1);
    sammy.playing();
    expect(decide(safe - 0.1, given).phase).toBe('recovery');
    sammy.playhead(seconds(1), () => seconds(safe - 0.1));
    expect(sammy.phase).toBe('recovery');
    // The buffer level is highest just after the segment has arrived.
    sammy.playhead(seconds(1.2), () => seconds(safe));
    expect(decide(safe - 0.1, given).phase).toBe('playing');
  });

  it('recovers until all media types are buffered, whichever is requested', () => {
    const { sammy, decide, pass } = createSession();
    sammy.playing();
    sammy.waiting();
    pass(1);
    // Audio is empty, although 20 s of video are buffered.
    expect(decide(20, { playable: () => seconds(0) })).toMatchObject({
      phase: 'recovery',
      requested_kbps: null,
    });
    expect(decide(0.1, { mediaType: 'audio', playable: () => seconds(0.1) }).requested_kbps).toBeNull();
    expect(decide(20, { playable: () => seconds(10) }).phase).toBe('playing');
  });

  it('recovers from a seek that leaves less than a segment or less than a second', () => {
    const first = createSession();
    first.sammy.playing();
    expect(first.decide(20).phase).toBe('playing');
    first.sammy.seeking(seconds(SEGMENT_S));
    expect(first.decide(SEGMENT_S).phase).toBe('playing');
    first.sammy.seeking(seconds(0.7));
    expect(first.decide(0.7)).toMatchObject({ phase: 'recovery', requested_kbps: null });
    const untold = createSession();
    untold.sammy.playing();
    untold.sammy.seeking(seconds(1));
    expect(untold.sammy.phase).toBe('playing');
    untold.sammy.seeking(seconds(0.9));
    expect(untold.sammy.phase).toBe('recovery');
  });

  it('does not pace low-latency live, or if pacing is switched off', () => {
    const { sammy, decide } = createSession();
    sammy.playing();
    expect(decide(5, { lowLatency: true })).toMatchObject({
      requested_kbps: null,
      pace_reason: 'low-latency',
    });
    sammy.update({ pacing: false });
    expect(decide(5)).toMatchObject({ requested_kbps: null, pace_reason: 'switched-off' });
    sammy.update({ pacing: true });
    expect(decide(5).requested_kbps).not.toBeNull();
  });

  it('chooses and paces by the rungs up to the bitrate ceiling', () => {
    const { decide, sammy, segment, stateOf } = createSession({ max_bitrate_kbps: 2299 });
    for (let begun = 0; begun < 3; begun++) segment(0, 40_000, 1);
    sammy.playing();
    const top = { bitrate_kbps: 1500, top_bitrate_kbps: 1500 };
    // The paces are 3.2 and 2.8 times 1500.
    expect(decide(2)).toMatchObject({ ...top, requested_kbps: 4800 });
    expect(decide(30)).toMatchObject({ ...top, requested_kbps: 4200 });
    expect(sammy.chooseRung(stateOf(10))).toMatchObject({ rung: ladder[2] });
    // The ceiling applies to video only.
    const audio = { mediaType: 'audio' as const, ladder: createLadder([96, 5000]) };
    expect(decide(30, audio)).toMatchObject({ top_bitrate_kbps: 5000 });
    // The lowest rung is always allowed.
    sammy.update({ max_bitrate_kbps: 1 });
    expect(decide(30)).toMatchObject({ bitrate_kbps: 300, top_bitrate_kbps: 300 });
    sammy.update({ max_bitrate_kbps: Infinity });
    expect(decide(30)).toMatchObject({ bitrate_kbps: 3300, top_bitrate_kbps: 3300 });
    // With dash.js's own rules, the ceiling does not lower paces, because these rules may choose higher rungs.
    sammy.update({ max_bitrate_kbps: 1500, abr: 'player' });
    expect(decide(30)).toMatchObject({ top_bitrate_kbps: 3300 });
  });

  it('begins with a bitrate up to the ceiling, even if the stored throughput is higher', () => {
    const of = (max_bitrate_kbps: number) =>
      chooseInitialBitrate(createSession({ default_throughput_kbps: 50_000, max_bitrate_kbps }).sammy);
    expect(of(1500)).toBe(1500);
    // HYB's β of 0.8 times the throughput of 50,000 kbit/s.
    expect(of(Infinity)).toBe(40_000);
  });

  it('changes nothing if an option is out of range', () => {
    const { sammy } = createSession({ c0: 2 });
    const before = sammy.options;
    expect(() => sammy.update({ c0: 1.5, c1: 1000 })).toThrow(/c1/);
    expect(sammy.options).toEqual(before);
  });

  it('supports a ladder with one rung, and audio only', () => {
    const { sammy, decide } = createSession();
    const audio: Partial<MediaState> = { mediaType: 'audio', ladder: createLadder([128]) };
    expect(decide(0, audio)).toMatchObject({ representation: '128', abr_reason: 'single-rung' });
    sammy.playing();
    // 3.2 * 128 = 409.6, rounded up to a multiple of 100.
    expect(decide(0, audio)).toMatchObject({ media_type: 'audio', requested_kbps: 500 });
  });

  it("paces no lower than the player's rules need for the top rung with their safety factor", () => {
    const bare: PacePolicy = {
      name: 'bare',
      choosePace: ({ state, abr }) => ({
        pace: kbps(abr.requiredThroughput(state, topRung(state.ladder)) / 0.9),
        reason: 'bare',
      }),
    };
    const paces = { 'smooth()': smooth(), 'Algorithm 1': 'sammy', 'one of the application': bare } as const;
    for (const [name, pace] of Object.entries(paces)) {
      const { sammy, decide } = createSession({ abr: 'player', pace, c0: 1, c1: 1 });
      sammy.playing();
      // 3300 / (0.9 x 0.9) = 4074, rounded up to 4100.
      for (const buffer of [20, 30]) expect(decide(buffer).requested_kbps, name).toBe(4100);
    }
  });

  it("keeps audio's estimate separate from video's", () => {
    const { sammy, decide } = createSession();
    const audio: Partial<MediaState> = { mediaType: 'audio', ladder: createLadder([64, 128]) };
    const decision = decide(0, audio);
    sammy.complete(decision, { outcome: 'completed', size_bytes: 125_000, download_ms: 1000, receipt: {} });
    expect(decide(0, audio).estimate_kbps).toBeCloseTo(1000, 6);
    expect(decide(0).estimate_kbps).toBeNull();
  });

  it("has the reason 'player' if the request is not for the rung that Sammy chose", () => {
    const { sammy, stateOf } = createSession();
    const state = stateOf(0);
    sammy.chooseRung(state);
    const decision = sammy.decide(state, topRung(ladder), seconds(2));
    expect(decision).toMatchObject({ representation: '3300', abr_reason: 'player' });
  });

  it("uses the sidecar's sizes from the requested segment on", () => {
    const sidecar = sizesFromSidecar({
      version: 1,
      segment_duration_s: [2, 2],
      representations: { 3300: { segment_bytes: [250_000, 3_000_000], segment_ssim_db: [14, 15] } },
    });
    const { sammy, decide } = createSession({ sidecar, c0: 1, c1: 1 });
    sammy.playing();
    sammy.complete(decide(30), { outcome: 'completed', size_bytes: 250_000, download_ms: 50, receipt: {} });
    // 3 MB in 2 s are 12,000 kbit/s, more than Eq. 1 requires with 30 s buffered.
    const second = decide(30, { nextSegmentAt: seconds(2) });
    expect(second).toMatchObject({ requested_kbps: 12_000, pace_reason: 'raised-to-segment-bitrate' });
    const completed = sammy.complete(second, {
      outcome: 'completed',
      size_bytes: 3e6,
      download_ms: 2000,
      receipt: {},
    });
    expect(completed).toMatchObject({ ssim_db: 15, achieved_kbps: 12_000, pace_limited: true });
  });

  it("prefers other sizes to the sidecar's", () => {
    const sidecar = sizesFromSidecar({
      version: 1,
      segment_duration_s: [2],
      representations: { 3300: { segment_bytes: [5_000_000] } },
    });
    const sizes = { upcoming: () => [{ size: bytes(825_000), duration: seconds(2) }] };
    const { sammy, decide } = createSession({ sizes });
    sammy.playing();
    const before = decide(0).bound_kbps;
    sammy.update({ sidecar });
    expect(decide(0).bound_kbps).toBe(before);
  });

  it('paces preloaded segments, and does not store their throughput', () => {
    const { sammy, storage, decide, segment } = createSession();
    sammy.playbackRequested();
    sammy.awaitViewer();
    expect(decide(2)).toMatchObject({ phase: 'initial', requested_kbps: null });
    segment(2, 20_000, 1);
    const preloaded = segment(6, 9_000, 1, { pace_kbps: kbps(10_300) });
    expect(preloaded).toMatchObject({ phase: 'preload', pace_reason: 'algorithm-1' });
    expect(preloaded.requested_kbps).toBeGreaterThan(0);
    sammy.playbackRequested();
    expect(decide(8)).toMatchObject({ phase: 'initial', requested_kbps: null });
    sammy.playing();
    expect(sammy.phase).toBe('playing');
    expect(storage.text).toContain('"throughput_kbps":20000');
  });
});

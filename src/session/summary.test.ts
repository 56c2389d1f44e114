import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../decision.ts';
import { SessionRecorder } from './summary.ts';

/** The record of a segment of 2 s, by default of video. */
const segment = (index: number, given: Partial<CompletedDecision> = {}): CompletedDecision => ({
  sequence: index,
  at_ms: 0,
  media_type: 'video',
  phase: 'playing',
  representation: 'r',
  bitrate_kbps: 1000,
  top_bitrate_kbps: 3000,
  segment_start_s: index * 2,
  segment_duration_s: 2,
  buffer_s: 0,
  playback_rate: 1,
  low_latency: false,
  estimate_kbps: null,
  abr_reason: 'top',
  requested_kbps: null,
  pace_reason: 'initial',
  multiplier: null,
  bound_kbps: null,
  outcome: 'completed',
  size_bytes: 250_000,
  download_ms: 1000,
  achieved_kbps: 2000,
  pace_limited: false,
  pacing_honored: 'unknown',
  ...given,
});
/** Reports the playhead in steps of 0.25 s, which are exact in binary. */
const play = (recorder: SessionRecorder, from: number, to: number) => {
  for (let time = from; time <= to; time += 0.25) recorder.playhead(time);
};
const createRecorder = (...segments: CompletedDecision[]) => {
  const recorder = new SessionRecorder();
  for (const each of segments) recorder.completed(each);
  return recorder;
};

const collectGarbage = () => {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
};

describe('SessionRecorder', () => {
  it('has no values for a session without playback', () => {
    expect(new SessionRecorder().summary()).toEqual({
      play_delay_ms: null,
      rebuffer_count: 0,
      rebuffer_ratio: 0,
      mean_bitrate_kbps: null,
      initial_bitrate_kbps: null,
      mean_ssim_db: null,
      initial_ssim_db: null,
      ssim_variation_db: null,
      switches: 0,
      chunk_throughput_kbps: null,
      playing_chunk_throughput_kbps: null,
      rtt_median_ms: null,
      retransmit_pct: null,
      played_s: 0,
      segments: 0,
    });
  });

  it('keeps the first play delay', () => {
    const recorder = new SessionRecorder();
    recorder.playbackStarted(167);
    recorder.playbackStarted(9000);
    expect(recorder.summary().play_delay_ms).toBe(167);
  });

  it('weights bitrates by the watched time, in total and over the first 20 s', () => {
    // 10 s at 1000, then 20 s at 3000 kbit/s.
    const recorder = createRecorder(
      ...Array.from({ length: 15 }, (_, index) => segment(index, { bitrate_kbps: index < 5 ? 1000 : 3000 })),
    );
    play(recorder, 0, 30);
    const summary = recorder.summary();
    expect(summary.played_s).toBe(30);
    expect(summary.mean_bitrate_kbps).toBeCloseTo((10 * 1000 + 20 * 3000) / 30, 9);
    expect(summary.initial_bitrate_kbps).toBeCloseTo((10 * 1000 + 10 * 3000) / 20, 9);
    expect(summary.switches).toBe(1);
    expect(summary.segments).toBe(15);
  });

  it('counts only watched segments, not all downloaded segments', () => {
    const recorder = createRecorder(segment(0), segment(1, { bitrate_kbps: 3000 }), segment(2));
    play(recorder, 0, 3);
    // 2 s at 1000 and 1 s at 3000.
    expect(recorder.summary().mean_bitrate_kbps).toBeCloseTo(5000 / 3, 9);
    expect(recorder.summary().switches).toBe(1);
  });

  it('counts the download that replaced another as watched', () => {
    const recorder = createRecorder(
      segment(0, { bitrate_kbps: 300 }),
      segment(0, { bitrate_kbps: 3000 }),
      segment(0, { bitrate_kbps: 1500, outcome: 'abandoned' }),
      segment(0, { bitrate_kbps: 1500, outcome: 'failed' }),
    );
    play(recorder, 0, 2);
    expect(recorder.summary().mean_bitrate_kbps).toBe(3000);
  });

  it('does not count a seek as playing', () => {
    const recorder = createRecorder(...Array.from({ length: 50 }, (_, index) => segment(index)));
    play(recorder, 0, 4);
    recorder.seeked();
    play(recorder, 60, 63);
    // Seeks that were not reported: a large step forward, and a step backward.
    play(recorder, 90, 91);
    play(recorder, 10, 12);
    expect(recorder.summary().played_s).toBe(4 + 3 + 1 + 2);
  });

  it('weights SSIM by time, and averages its changes by segment', () => {
    const recorder = createRecorder(
      segment(0, { ssim_db: 10 }),
      segment(1, { ssim_db: 16 }),
      segment(2, { ssim_db: 13 }),
      segment(3), // SSIM unknown
    );
    play(recorder, 0, 8);
    const summary = recorder.summary();
    expect(summary.mean_ssim_db).toBeCloseTo(13, 9);
    expect(summary.initial_ssim_db).toBeCloseTo(13, 9);
    // |16 - 10| and |13 - 16|.
    expect(summary.ssim_variation_db).toBeCloseTo(4.5, 9);
  });

  it('divides the stall time by the stall and play time: 2.5 s in 10 s', () => {
    const recorder = createRecorder(...Array.from({ length: 5 }, (_, index) => segment(index)));
    recorder.rebuffered(2000);
    play(recorder, 0, 7.5);
    recorder.rebuffered(500);
    expect(recorder.summary().rebuffer_count).toBe(2);
    expect(recorder.summary().rebuffer_ratio).toBeCloseTo(0.25, 9);
  });

  it('weights chunk throughput by download time (Sammy Eq. 9): 6000 kbit in 4 s, not the mean of 4000 and 667', () => {
    const fast = segment(0, { size_bytes: 500_000, download_ms: 1000, phase: 'initial' });
    const slow = segment(1, { size_bytes: 250_000, download_ms: 3000 });
    const summary = createRecorder(fast, slow, segment(2, { size_bytes: 0, download_ms: 5000 })).summary();
    expect(summary.chunk_throughput_kbps).toBeCloseTo(1500, 9);
    expect(summary.playing_chunk_throughput_kbps).toBeCloseTo(2000 / 3, 9);
  });

  it('uses video or, if there is none, audio', () => {
    const audio = segment(0, {
      media_type: 'audio',
      bitrate_kbps: 128,
      size_bytes: 32_000,
      download_ms: 100,
    });
    const both = createRecorder(segment(0), audio);
    play(both, 0, 2);
    expect(both.summary().mean_bitrate_kbps).toBe(1000);
    expect(both.summary().chunk_throughput_kbps).toBe(2000);

    const audioOnly = createRecorder(audio);
    play(audioOnly, 0, 2);
    expect(audioOnly.summary().mean_bitrate_kbps).toBe(128);
    expect(audioOnly.summary().chunk_throughput_kbps).toBe(2560);
  });

  it('returns the median RTT over all receipts', () => {
    const summary = createRecorder(
      segment(0, { rtt_ms: 5 }),
      segment(1, { rtt_ms: 20 }),
      segment(2),
      segment(3, { rtt_ms: 7 }),
    ).summary();
    expect(summary.rtt_median_ms).toBe(7);
  });

  it('adds retransmissions per connection, whose counters are cumulative', () => {
    const on = (connection: string, sent_bytes: number, retransmitted_bytes: number) => ({
      connection,
      sent_bytes,
      retransmitted_bytes,
    });
    const summary = createRecorder(
      segment(0, on('a', 100_000, 0)),
      segment(1, on('b', 50_000, 5000)),
      segment(2, on('a', 150_000, 1000)),
      segment(3), // without a receipt
    ).summary();
    // The bytes before a connection's first receipt do not count, so only a's later bytes do: 1000 of 50,000.
    expect(summary.retransmit_pct).toBeCloseTo(2, 9);
    expect(createRecorder(segment(0, on('a', 100_000, 5000))).summary().retransmit_pct).toBeNull();
  });

  it('includes the current rebuffer', () => {
    const recorder = createRecorder(segment(0), segment(1));
    play(recorder, 0, 3);
    expect(recorder.summary(1000)).toMatchObject({ rebuffer_count: 1, rebuffer_ratio: 0.25 });
    expect(recorder.summary()).toMatchObject({ rebuffer_count: 0, rebuffer_ratio: 0 });
  });

  it('counts an entire session of any length in bounded memory', async () => {
    const recorder = new SessionRecorder();
    const records: WeakRef<CompletedDecision>[] = [];
    // 4000 segments over 2000 connections. Each connection sends 100 kB between its two receipts.
    for (let index = 0; index < 4000; index++) {
      const record = segment(index, {
        bitrate_kbps: index < 2000 ? 1000 : 3000,
        download_ms: index < 2000 ? 500 : 1500,
        rtt_ms: index < 3000 ? 5 : 20,
        ssim_db: index % 2 === 0 ? 10 : 13,
        connection: String(Math.floor(index / 2)),
        sent_bytes: 7000 + (index % 2) * 100_000,
        retransmitted_bytes: 50 + (index % 2) * 1000,
      });
      records.push(new WeakRef(record));
      recorder.completed(record);
      play(recorder, index * 2, index * 2 + 2);
    }
    const summary = recorder.summary();
    expect(summary).toMatchObject({ segments: 4000, played_s: 8000, switches: 1 });
    expect(summary.mean_bitrate_kbps).toBeCloseTo(2000, 9);
    expect(summary.initial_bitrate_kbps).toBeCloseTo(1000, 9);
    expect(summary.mean_ssim_db).toBeCloseTo(11.5, 9);
    expect(summary.ssim_variation_db).toBeCloseTo(3, 9);
    // 4000 x 2000 kbit in 2000 x (0.5 + 1.5) s.
    expect(summary.chunk_throughput_kbps).toBeCloseTo(2000, 9);
    expect(summary.retransmit_pct).toBeCloseTo(1, 9);
    // Only the median needs the single values, so it covers the latest 1000 receipts.
    expect(summary.rtt_median_ms).toBe(20);

    // The target of a WeakRef is kept alive until the task ends.
    await new Promise((resolve) => setTimeout(resolve));
    collectGarbage();
    const alive = records.filter((record) => record.deref() !== undefined).length;
    expect(alive).toBeLessThanOrEqual(1);
    // The recorder itself is still in use.
    expect(recorder.summary().segments).toBe(4000);
  });

  it('keeps the latest 1000 segments', () => {
    const recorder = createRecorder(
      ...Array.from({ length: 1001 }, (_, index) => segment(index, { bitrate_kbps: index })),
    );
    play(recorder, 2, 4);
    // The first segment was removed, so its two seconds have no values.
    recorder.seeked();
    play(recorder, 0, 2);
    expect(recorder.summary()).toMatchObject({ mean_bitrate_kbps: 1, played_s: 4 });
  });

  it('excludes cached responses from the throughput', () => {
    const cached = segment(1, { download_ms: 1, from_cache: true });
    expect(createRecorder(segment(0), cached).summary().chunk_throughput_kbps).toBe(2000);
  });

  it('excludes error responses from the throughput', () => {
    const error = segment(1, { outcome: 'failed', size_bytes: 20, download_ms: 1000 });
    expect(createRecorder(segment(0), error).summary().chunk_throughput_kbps).toBe(2000);
  });
});

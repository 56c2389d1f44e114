import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../src/index.ts';
import { summarizeTurns } from './summarize-turns.ts';

const session = (values: Partial<SessionSummary>): SessionSummary => ({
  initial_bitrate_kbps: null,
  initial_ssim_db: null,
  ssim_variation_db: null,
  chunk_throughput_kbps: null,
  rebuffer_ratio: 0,
  pacing_honored: 'unknown',
  play_delay_ms: 100,
  rebuffer_count: 0,
  mean_bitrate_kbps: null,
  mean_ssim_db: null,
  switches: 0,
  playing_chunk_throughput_kbps: null,
  rtt_median_ms: null,
  retransmit_pct: null,
  played_s: 10,
  segments: 4,
  ...values,
});

it('is null without a session', () => {
  expect(summarizeTurns([])).toBeNull();
});

it('sums counts and weights means by the time played', () => {
  const summary = summarizeTurns([
    session({ mean_bitrate_kbps: 1000, rebuffer_count: 1, played_s: 5 }),
    session({ mean_bitrate_kbps: 3000, rebuffer_count: 2, played_s: 15, rtt_median_ms: 7 }),
    session({ mean_bitrate_kbps: null, played_s: 0 }),
  ]);
  // (1000 x 5 + 3000 x 15) / 20
  expect(summary).toMatchObject({ mean_bitrate_kbps: 2500, rebuffer_count: 3, played_s: 20, segments: 12 });
  expect(summary).toMatchObject({ rtt_median_ms: 7, play_delay_ms: 100, mean_ssim_db: null });
});

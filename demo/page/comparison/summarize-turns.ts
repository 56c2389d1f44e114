import type { SessionSummary } from '../../../src/index.ts';

const COUNTS = ['rebuffer_count', 'switches', 'played_s', 'segments'] as const;
const MEANS = [
  'play_delay_ms',
  'mean_bitrate_kbps',
  'mean_ssim_db',
  'playing_chunk_throughput_kbps',
  'rtt_median_ms',
  'retransmit_pct',
] as const;

export type TurnsSummary = Readonly<
  Record<(typeof COUNTS)[number], number> & Record<(typeof MEANS)[number], number | null>
>;

/**
 * Combines the sessions of an arm into one summary. Counts are added; all other figures are averages weighted by the
 * time played. Null without a session.
 */
export function summarizeTurns(sessions: readonly SessionSummary[]): TurnsSummary | null {
  if (sessions.length === 0) return null;
  const counts = COUNTS.map((metric) => [
    metric,
    sessions.reduce((sum, session) => sum + session[metric], 0),
  ]);
  const means = MEANS.map((metric) => {
    const [total, weight] = sessions.reduce(
      ([sum, weights], { [metric]: value, played_s }) =>
        value === null ? [sum, weights] : [sum + value * played_s, weights + played_s],
      [0, 0],
    );
    return [metric, weight > 0 ? total / weight : null];
  });
  return Object.fromEntries([...counts, ...means]) as TurnsSummary;
}

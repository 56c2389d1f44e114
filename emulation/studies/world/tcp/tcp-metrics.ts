import type { Played } from '../../../player/records/play.ts';
import { metricsOf, type Metrics } from '../session-row.ts';

/**
 * A session's metrics as the virtual world has them. Its least round trip is the least that the edge's kernel told of its
 * connections; what was sent is what arrived and, by the share of retransmissions, what did so twice.
 */
export function tcpMetrics({ summary, decisions }: Pick<Played, 'summary' | 'decisions'>): Metrics {
  const least_ms = Math.min(...decisions.map(({ min_rtt_ms }) => min_rtt_ms ?? Infinity));
  const arrived_bytes = decisions.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const sent_once = 1 - (summary.retransmit_pct ?? 0) / 100;
  return metricsOf(summary, {
    min_rtt_ms: least_ms < Infinity ? least_ms : null,
    bytes_sent: Math.round(sent_once > 0 ? arrived_bytes / sent_once : arrived_bytes),
  });
}

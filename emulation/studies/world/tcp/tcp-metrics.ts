import type { Played } from '../../../player/records/play.ts';
import { pickMetrics, type Metrics } from '../session-row.ts';

/**
 * A session's metrics, the same as in the virtual world. The minimum RTT is the lowest one that the edge's kernel
 * reported for the session's connections. The bytes sent are the bytes that arrived, plus the retransmitted share.
 */
export function tcpMetrics({ summary, decisions }: Pick<Played, 'summary' | 'decisions'>): Metrics {
  const least_ms = Math.min(...decisions.map(({ min_rtt_ms }) => min_rtt_ms ?? Infinity));
  const arrived_bytes = decisions.reduce((sum, { size_bytes }) => sum + size_bytes, 0);
  const sent_once = 1 - (summary.retransmit_pct ?? 0) / 100;
  return pickMetrics(summary, {
    min_rtt_ms: least_ms < Infinity ? least_ms : null,
    bytes_sent: Math.round(sent_once > 0 ? arrived_bytes / sent_once : arrived_bytes),
  });
}

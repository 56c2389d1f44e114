import { inFlight_s, isInFlight, mergeFlights } from '../flights.ts';
import type { NeighborSession } from '../neighbor.ts';
import { meanOrNull, nearestRank, rounded } from '../../../ground/statistics/percentiles.ts';
import { INTERVAL_MS } from './udp-packet.ts';
import type { UdpArrival } from './udp-receiver.ts';
import type { UdpSent } from './udp-sender.ts';

/** The length of a row of the CSV. The report takes the lowest `owd_least_ms` as the base delay. */
const ROW_S = 0.1;

/**
 * Computes the one-way delays within the session. A packet counts as in flight with a chunk if a chunk was in flight at
 * its arrival. A lost packet is counted in the row of its scheduled sending time.
 */
export function udpResult(
  arrivals: readonly UdpArrival[],
  { begun_ms, count }: Pick<UdpSent, 'begun_ms' | 'count'>,
  time: (at_ms: number) => number,
  { seconds, flights }: Pick<NeighborSession, 'seconds' | 'flights'>,
) {
  const merged = mergeFlights(flights);
  const rows = Array.from({ length: Math.ceil(seconds / ROW_S) }, () => ({ owds: [] as number[], lost: 0 }));
  const rowAt = (t_s: number) => (t_s < seconds ? rows[Math.floor(t_s / ROW_S)] : undefined);

  const inFlight: number[] = [];
  for (const { sent_ms, received_ms } of arrivals) {
    const t_s = time(received_ms);
    const row = rowAt(t_s);
    row?.owds.push(received_ms - sent_ms);
    if (row && isInFlight(t_s, merged)) inFlight.push(received_ms - sent_ms);
  }
  const arrived = new Set(arrivals.map(({ sequence }) => sequence));
  for (let sequence = 0; sequence < count; sequence += 1) {
    const row = arrived.has(sequence) ? undefined : rowAt(time(begun_ms + sequence * INTERVAL_MS));
    if (row) row.lost += 1;
  }

  const all = rows.flatMap(({ owds }) => owds);
  return {
    metrics: {
      udp_owd_ms: meanOrNull(all),
      udp_owd_inflight_ms: meanOrNull(inFlight),
      udp_owd_p95_ms: nearestRank(all, 0.95),
    },
    csv: [
      ['t_s', 'received', 'lost', 'owd_least_ms', 'owd_mean_ms', 'owd_most_ms', 'in_flight_s'],
      ...rows.map(({ owds, lost }, index) => {
        const from_s = index * ROW_S;
        const owd = [Math.min(...owds), meanOrNull(owds) ?? 0, Math.max(...owds)];
        return [
          rounded(from_s),
          owds.length,
          lost,
          ...owd.map((delay) => (owds.length === 0 ? '' : rounded(delay))),
          rounded(inFlight_s(from_s, from_s + ROW_S, merged)),
        ];
      }),
    ],
  };
}

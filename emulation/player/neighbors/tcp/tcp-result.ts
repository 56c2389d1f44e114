import { inFlight_s, mergeFlights } from '../flights.ts';
import type { Flight, NeighborSession } from '../neighbor.ts';
import { rounded } from '../../../ground/statistics/percentiles.ts';

export const BIN_MS = 50;
/** The bulk flow starts this long after playback has begun, s. */
export const BEGIN_AFTER_S = 10;
/** The first second is excluded because of slow start: the metric is the throughput of an established flow. */
const SLOW_START_S = 1;

export interface TcpBins {
  readonly type: 'bins';
  /** When the connection was requested, on the clock of `monotonic_ms`; null if the session ended earlier. */
  readonly begun_ms: number | null;
  /** The bytes in each bin since `begun_ms`; there is no bin after the last byte. */
  readonly received: readonly number[];
}

/**
 * The throughput from one second after the flow's start to the session's end, over the whole time and over the times
 * with a chunk in flight. Bytes are assumed to arrive evenly within their bin.
 */
export function tcpResult(
  { begun_ms, received }: Pick<TcpBins, 'begun_ms' | 'received'>,
  time: (at_ms: number) => number,
  { seconds, flights }: Pick<NeighborSession, 'seconds' | 'flights'>,
) {
  const header = ['t_s', 'throughput_mbps', 'in_flight_s'];
  if (begun_ms === null) {
    return { metrics: { tcp_throughput_mbps: null, tcp_throughput_inflight_mbps: null }, csv: [header] };
  }
  const bins = received
    .map((bytes, index) => {
      const from_s = time(begun_ms + index * BIN_MS);
      return { from_s, to_s: from_s + BIN_MS / 1000, bytes };
    })
    .filter(({ from_s }) => from_s < seconds);
  const merged = mergeFlights(flights);
  const life = { from_s: time(begun_ms) + SLOW_START_S, to_s: seconds };
  const flightsInLife = merged
    .map(({ from_s, to_s }) => ({
      from_s: Math.max(from_s, life.from_s),
      to_s: Math.min(to_s, life.to_s),
    }))
    .filter(({ from_s, to_s }) => from_s < to_s);
  return {
    metrics: {
      tcp_throughput_mbps: throughput_mbps(bins, life.from_s < life.to_s ? [life] : []),
      tcp_throughput_inflight_mbps: throughput_mbps(bins, flightsInLife),
    },
    csv: [
      header,
      ...bins.map(({ from_s, to_s, bytes }) => [
        rounded(from_s),
        rounded(mbps(bytes, to_s - from_s)),
        rounded(inFlight_s(from_s, to_s, merged)),
      ]),
    ],
  };
}

interface Bin extends Flight {
  readonly bytes: number;
}

/** The throughput over the spans, which must not overlap; null if they have no duration. */
function throughput_mbps(bins: readonly Bin[], spans: readonly Flight[]): number | null {
  const time_s = spans.reduce((sum, { from_s, to_s }) => sum + to_s - from_s, 0);
  const bytes = bins.reduce((sum, bin) => {
    const share = inFlight_s(bin.from_s, bin.to_s, spans) / (bin.to_s - bin.from_s);
    return sum + bin.bytes * share;
  }, 0);
  return time_s > 0 ? mbps(bytes, time_s) : null;
}

const mbps = (bytes: number, time_s: number): number => (bytes * 8) / 1e6 / time_s;

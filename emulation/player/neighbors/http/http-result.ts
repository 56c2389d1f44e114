import { inFlight_s, mergeFlights } from '../flights.ts';
import type { HttpExchange } from './http-exchange.ts';
import type { NeighborSession } from '../neighbor.ts';
import { meanOrNull, rounded } from '../../../ground/statistics/percentiles.ts';

/**
 * The share of a response's time that must overlap flights for the response to count as in flight. Below 1, because a
 * response may take longer than a chunk, and the player requests nothing for some ms between two chunks.
 */
const IN_FLIGHT_SHARE = 0.9;

/** Computes the metrics from the responses that were complete within the session. */
export function httpResult(
  exchanges: readonly HttpExchange[],
  time: (at_ms: number) => number,
  { seconds, flights }: Pick<NeighborSession, 'seconds' | 'flights'>,
) {
  const merged = mergeFlights(flights);
  const responses = exchanges
    .map(({ issued_ms, received_ms }) => {
      const [from_s, to_s] = [time(issued_ms), time(received_ms)];
      const inFlight = inFlight_s(from_s, to_s, merged) / (to_s - from_s);
      return { from_s, to_s, response_ms: received_ms - issued_ms, inFlight };
    })
    .filter(({ to_s }) => to_s <= seconds);
  return {
    metrics: {
      http_response_ms: meanOrNull(responses.map(({ response_ms }) => response_ms)),
      http_response_inflight_ms: meanOrNull(
        responses.flatMap(({ response_ms, inFlight }) => (inFlight >= IN_FLIGHT_SHARE ? [response_ms] : [])),
      ),
    },
    csv: [
      ['t_s', 'response_ms', 'in_flight_share'],
      ...responses.map(({ from_s, response_ms, inFlight }) => [
        rounded(from_s),
        rounded(response_ms),
        rounded(inFlight),
      ]),
    ],
  };
}

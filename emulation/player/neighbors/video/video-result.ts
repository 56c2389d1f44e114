import { isInFlight } from '../flights.ts';
import type { NeighborSession } from '../neighbor.ts';
import { meanOrNull, rounded } from '../../../ground/statistics/percentiles.ts';
import type { VideoStart } from './video-page.ts';

/** The mean play delay of all starts, and of the starts at which a chunk of the session was in flight. */
export function videoResult(
  starts: readonly VideoStart[],
  { requestedAt_ms, flights }: Pick<NeighborSession, 'requestedAt_ms' | 'flights'>,
) {
  const all = starts.map(({ requested_ms, play_delay_ms }) => {
    const t_s = (requested_ms - requestedAt_ms) / 1000;
    return { t_s, play_delay_ms, inFlight: isInFlight(t_s, flights) };
  });
  return {
    metrics: {
      neighbor_play_delay_ms: meanOrNull(all.map(({ play_delay_ms }) => play_delay_ms)),
      neighbor_play_delay_inflight_ms: meanOrNull(
        all.flatMap(({ inFlight, play_delay_ms }) => (inFlight ? [play_delay_ms] : [])),
      ),
    },
    csv: [
      ['t_s', 'play_delay_ms', 'in_flight'],
      ...all.map(({ t_s, play_delay_ms, inFlight }) => [
        rounded(t_s),
        rounded(play_delay_ms),
        Number(inFlight),
      ]),
    ],
  };
}

export type VideoMetric = keyof ReturnType<typeof videoResult>['metrics'];

import { isInFlight } from './flights.ts';
import type { NeighbourResult, NeighbourSession } from './neighbour.ts';
import { mean, rounded } from './statistics.ts';
import type { VideoStart } from './video-page.ts';

/**
 * The mean play delay of the starts that fell into a flight of the session, for only they met it on the link; of all
 * starts when none did. The column `counted` says which.
 */
export function videoResult(
  starts: readonly VideoStart[],
  { requestedAt_ms, flights }: Pick<NeighbourSession, 'requestedAt_ms' | 'flights'>,
): NeighbourResult {
  const all = starts.map(({ requested_ms, play_delay_ms }) => {
    const t_s = (requested_ms - requestedAt_ms) / 1000;
    return { t_s, play_delay_ms, inFlight: isInFlight(t_s, flights) };
  });
  const someInFlight = all.some(({ inFlight }) => inFlight);
  const counted = all.filter(({ inFlight }) => inFlight === someInFlight);
  return {
    metrics: { neighbour_play_delay_ms: mean(counted.map(({ play_delay_ms }) => play_delay_ms)) },
    csv: [
      ['t_s', 'play_delay_ms', 'in_flight', 'counted'],
      ...all.map(({ t_s, play_delay_ms, inFlight }) => [
        rounded(t_s),
        rounded(play_delay_ms),
        Number(inFlight),
        Number(inFlight === someInFlight),
      ]),
    ],
  };
}

import type { Arm } from '../arms/arm.ts';
import { idleRtt_ms } from '../../network/links/idle-rtt.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from '../model/player/film.ts';
import { playRecorded, type PlaySession } from './play-recorded.ts';
import type { SimulatedSpec } from './simulated-spec.ts';

/** The properties of a simulated run, without the arm, the video and the capacity of the link. */
export type PlayedSpec = Pick<
  SimulatedSpec,
  | 'seconds'
  | 'link'
  | 'asLab'
  | 'sammy'
  | 'congestionControl'
  | 'buffer_s'
  | 'history'
  | 'seed'
  | 'forks'
  | 'neighbor'
>;

/** Plays and measures a run without access to files, because the site also uses this function. */
export function playSpec(spec: PlayedSpec, arm: Arm, film: Film, capacity: Capacity, plays?: PlaySession) {
  const { link, asLab, sammy, congestionControl, seconds, buffer_s, history, seed, forks, neighbor } = spec;
  const rtt_ms = asLab ? idleRtt_ms(link.rtt_ms) : link.rtt_ms;
  const mbps = link.rate.kind === 'constant' ? link.rate.mbps : null;
  const calibration = {
    valid: true,
    rtt_ms,
    expected_rtt_ms: link.rtt_ms,
    rate_mbps: mbps,
    expected_rate_mbps: mbps,
  };
  return {
    calibration,
    ...playRecorded(
      {
        ...{ arm, sammy, film, link, capacity, rtt_ms, congestionControl, seconds, buffer_s, history, seed },
        ...{ forks, neighbor, calibration },
      },
      plays,
    ),
  };
}

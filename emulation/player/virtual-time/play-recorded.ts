import type { Arm } from '../arms/arm.ts';
import type { Calibration } from '../../network/links/calibrate.ts';
import type { Link } from '../../network/links/link.ts';
import type { Measured } from '../records/metrics.ts';
import { computeMetrics } from '../records/measurements.ts';
import type { SammyOptions } from '../../../src/options.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from '../model/player/film.ts';
import { simulateSession } from '../model/session.ts';
import type { SimulatedResult, SimulatedSession } from '../model/simulated-session.ts';
import { Recorder } from './recorder.ts';

/** The properties of a lab run that determine a simulated session. */
export interface RecordedSession {
  readonly arm: Arm;
  /** Options of the plug-in, in addition to the options of the arm. */
  readonly sammy: SammyOptions | undefined;
  readonly film: Film;
  readonly link: Link;
  readonly capacity: Capacity;
  /** The round-trip time of the idle link. */
  readonly rtt_ms: number;
  readonly congestionControl: string | undefined;
  readonly seconds: number;
  readonly buffer_s: number | undefined;
  readonly history: readonly number[] | undefined;
  readonly seed: number;
  readonly calibration: Calibration;
  /** See `SimulatedSession`. */
  readonly forks?: boolean | undefined;
  readonly neighbor?: string | undefined;
}

/** Plays a session, with the model of dash.js or with dash.js itself. */
export type PlaySession = (session: SimulatedSession) => SimulatedResult;

/** Plays a session, and computes the same metrics as the lab. */
export function playRecorded(
  session: RecordedSession,
  plays: PlaySession = simulateSession,
): {
  readonly played: SimulatedResult;
  readonly recorder: Recorder;
  readonly metrics: Measured;
} {
  const { arm, sammy, film, link, capacity, rtt_ms, congestionControl, calibration } = session;
  const { seconds, buffer_s, history, seed, forks, neighbor } = session;
  const recorder = new Recorder(seconds);
  const { queue_bytes, loss } = link;
  const played = plays({
    arm: { ...arm, sammy: { ...arm.sammy, ...sammy } },
    film,
    network: { capacity, rtt_ms, queue_bytes, loss, congestionControl },
    seconds,
    buffer_s,
    history,
    seed,
    forks,
    neighbor,
    observe: recorder.observe,
    observeNeighbor: recorder.recordPackets,
  });
  const { retransmit_pct, playing_retransmit_bytes, acks } = recorder;
  const metrics = computeMetrics(
    played,
    recorder.totals(capacity, seconds),
    acks,
    { retransmit_pct, playing_retransmit_bytes },
    { ...calibration, rtt_ms },
  );
  return { played, recorder, metrics: { ...metrics, ...played.neighbor?.metrics } };
}

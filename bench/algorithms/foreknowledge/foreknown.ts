import { OPPORTUNITY_BYTES } from '../../../emulation/network/links/traces.ts';
import { CONTENT_BYTES } from '../../../emulation/network/virtual/rounds/connection.ts';
import { PROCESSING_MS, SWITCH_MS } from '../../../emulation/player/model/player/scheduler.ts';
import { REQUEST_MS } from '../../../emulation/player/model/player/simulated-wire.ts';
import type { SimulatedNetwork } from '../../../emulation/player/model/simulated-session.ts';
import { topRung } from '../../../src/film/ladder.ts';
import type { Film } from '../play.ts';

/**
 * The complete knowledge about a session: its video and its network. Times are seconds since the request for playback;
 * rungs and segments are indices from 0.
 */
export interface Foreknown {
  readonly durations_s: readonly number[];
  /** SSIM by segment, then by rung, dB. */
  readonly quality_db: readonly (readonly number[])[];
  /** Returns the time at which a requested segment can play. */
  readonly arrival: (request: Request) => number;
  /**
   * Returns the maximum buffer level in seconds after a segment of `rung`. The player requests the next segment as soon
   * as the buffer has room for it below this level.
   */
  readonly most: (rung: number) => number;
  /** The end of the evaluated time. Content that would begin to play later is ignored. */
  readonly until_s: number;
}

export interface Request {
  readonly segment: number;
  readonly rung: number;
  /** The rung of the previous segment; undefined for the first segment. */
  readonly previous: number | undefined;
  readonly asked_s: number;
  readonly free_s: number;
}

/** Buffer levels of dash.js 5.2 in seconds, as in the simulator for a video of ten minutes or more. */
export interface Buffers {
  readonly maxBuffer_s: number;
  readonly bufferTarget_s: number;
}

/**
 * Returns the knowledge about a video over a link without losses. It models the delays of the simulated player and its
 * requests, and the link's rate, but no growing congestion window and no lost packets, so no segment arrives earlier in
 * the simulator. While video requests are in progress, audio uses the rest of the rate. `share` is the used share of
 * the link's rate.
 */
export function foreknown(
  film: Film,
  { capacity, rtt_ms }: SimulatedNetwork,
  { maxBuffer_s, bufferTarget_s }: Buffers,
  until_s: number,
  share = 1,
): Foreknown {
  const { sidecar, ladders } = film;
  const { video, audio } = ladders;
  const durations_s = sidecar.segment_duration_s;
  const representations = video.map(({ id }) => sidecar.representations[id]);
  const linkBytes = (content = 0) => (content * OPPORTUNITY_BYTES) / CONTENT_BYTES / share;
  const picture = representations.map((each) => (each?.segment_bytes ?? []).map(linkBytes));
  const sound = audio && sidecar.representations[topRung(audio).id]?.segment_bytes.map(linkBytes);
  const arrival = ({ segment, rung, previous, asked_s, free_s }: Request): number => {
    const first = previous === undefined;
    const switches_ms = first || previous === rung ? 0 : REQUEST_MS + rtt_ms + SWITCH_MS;
    const sent_ms = 1000 * asked_s + (first ? 0 : PROCESSING_MS) + switches_ms + REQUEST_MS + rtt_ms / 2;
    const size = picture[rung]?.[segment] ?? NaN;
    const both = size + (sound?.[segment] ?? 0);
    const ends_ms = Math.max(
      capacity.timeToCarry(sent_ms, size),
      capacity.timeToCarry(Math.max(0, 1000 * free_s - rtt_ms / 2), both),
    );
    return (ends_ms + rtt_ms / 2) / 1000;
  };
  return {
    durations_s,
    quality_db: listQuality(film),
    arrival,
    most: (rung) => (rung === video.length - 1 ? maxBuffer_s : bufferTarget_s),
    until_s,
  };
}

/** SSIM by segment, then by rung, dB. */
export const listQuality = ({ sidecar, ladders }: Film): number[][] =>
  sidecar.segment_duration_s.map((_, segment) =>
    ladders.video.map(({ id }) => sidecar.representations[id]?.segment_ssim_db?.[segment] ?? NaN),
  );

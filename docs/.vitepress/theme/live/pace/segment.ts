import { constantRate } from '../../../../../emulation/network/virtual/rounds/rates.ts';
import type { Batch } from '../../../../../emulation/network/virtual/rounds/connection.ts';
import { filmFor } from '../../../../../emulation/player/model/player/film-for.ts';
import { simulateSession } from '../../../../../emulation/player/model/session.ts';
import { idleRtt_ms } from '../../../../../emulation/network/links/idle-rtt.ts';
import { PAPER_LINK } from '../../../../../emulation/network/links/link.ts';
import { bigBuckBunny } from '../../../../../media/films/big-buck-bunny.ts';
import type { SammyOptions } from '../../../../../src/options.ts';

export interface PaceMultiple {
  /** The pace as a multiple of the top bitrate, the same at every buffer level. */
  readonly multiple: number;
}

export const MULTIPLES = [1.5, 1.75, 2, 2.25, 2.5, 2.8, 3.2, 3.5, 4, 4.5, 5, 5.5, 6] as const;
export const MBPS = 40;

/** The transmission of one video segment. */
export interface Way {
  readonly size_bytes: number;
  readonly bitrate_kbps: number;
  readonly requested_kbps: number | null;
  readonly reason: string;
  readonly takes_ms: number;
  /** The time at which the server sends each packet, ms since the request. */
  readonly packets_ms: readonly number[];
  /** Pairs of a time, ms since the request, and the queueing delay in ms of the packets sent at that time. */
  readonly waits_ms: readonly (readonly [number, number])[];
}

/**
 * The earliest start of the shown segment in the video, s: late enough that the windows have grown and dash.js would
 * download at full speed.
 */
const FROM_S = 6;
const SECONDS = 15;
const { sidecar, ladders } = filmFor(bigBuckBunny, SECONDS);
/** Video only, because audio packets would be sent in between. */
const film = { sidecar, ladders: { video: ladders.video } };

/** Simulates the same segment, unpaced and paced. */
export function* bothWays({
  multiple,
}: PaceMultiple): Generator<{ readonly unpaced: Way; readonly paced: Way }> {
  yield {
    unpaced: way({ pacing: false }),
    paced: way({ c0: multiple, c1: multiple }),
  };
}

function way(sammy: SammyOptions): Way {
  const batches: Batch[] = [];
  const { decisions } = simulateSession({
    arm: { sammy },
    film,
    network: {
      capacity: constantRate(MBPS),
      rtt_ms: idleRtt_ms(PAPER_LINK.rtt_ms),
      queue_bytes: PAPER_LINK.queue_bytes,
    },
    ...{ seconds: SECONDS, buffer_s: 240, observe: (batch: Batch) => batches.push(batch) },
  });
  const decision = decisions.find(({ segment_start_s }) => segment_start_s >= FROM_S);
  if (!decision) throw new Error('the segment has not arrived');
  const { at_ms, download_ms, size_bytes, bitrate_kbps, requested_kbps, pace_reason } = decision;
  const own = batches.filter(({ sent_ms }) => sent_ms >= at_ms && sent_ms < at_ms + download_ms);
  return {
    ...{ size_bytes, bitrate_kbps, requested_kbps, takes_ms: download_ms },
    reason: pace_reason,
    packets_ms: packetTimes(own).map((time) => time - at_ms),
    waits_ms: own.map(({ sent_ms, begins_ms }) => [sent_ms - at_ms, begins_ms - sent_ms]),
  };
}

/**
 * Returns the times of packets. The simulator models a continuous flow of data; here a packet is sent when the flow has
 * sent a whole packet's bytes.
 */
function packetTimes(batches: readonly Batch[]): number[] {
  const times: number[] = [];
  let sent = 0;
  for (const { sent_ms, sends_ms, packets } of batches) {
    while (times.length + 1 <= sent + packets) {
      const share = (times.length + 1 - sent) / packets;
      times.push(sent_ms + share * sends_ms);
    }
    sent += packets;
  }
  return times;
}

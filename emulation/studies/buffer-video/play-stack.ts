import type { VirtualControl } from '../../../buffers/packets/controls/control-named.ts';
import { kernels } from '../../../buffers/packets/kernel-rules.ts';
import { RoutedNetwork } from '../../../buffers/packets/routed-network.ts';
import type { QueueCounts } from '../../../buffers/packets/round-robin-router.ts';
import { randomStream } from '../world/arrivals.ts';
import { nominalFilm } from '../world/tcp/nominal-film.ts';
import { FILM, RATE_KBPS, WARM_UP_S, type PlannedSession } from './demand.ts';
import { ModelVisit } from './viewers/model-visit.ts';
import { FRAME_BYTES } from './viewers/packet-wire.ts';
import { PageVisit } from './viewers/page-visit.ts';
import { sum, watchedResult, type SessionResult } from './session-result.ts';
import { bufferPackets } from './sites.ts';
import { BUFFERED_S, type Visit } from './viewers/visit.ts';

/** The transmission time of a full frame on the link. */
export const PACKET_MS = (FRAME_BYTES * 8) / RATE_KBPS;
/** Linux 6.1, with TCP's own pacing, because a burst would fill a large part of a scaled buffer. */
const SENDERS = { paced: true, kernel: kernels['6.1'] } as const;
const VISITS = { model: ModelVisit, page: PageVisit } as const;

/** One hour of a stack. */
export interface StackHour {
  /** The number of virtual output queues of the stack's port. */
  readonly queues: number;
  readonly buffer_mb: number;
  readonly congestion_control: VirtualControl;
  /** The arm of all viewers, by its name in the lab. */
  readonly arm: string;
  /** Whether the model of dash.js plays, or dash.js itself. */
  readonly player: keyof typeof VISITS;
  readonly sessions: readonly PlannedSession[];
  /** The length of the hour after the warm-up. */
  readonly seconds: number;
  readonly seed: number;
}

export interface StackResult {
  /** The link's utilization, 0 to 1. */
  readonly utilization: number;
  readonly sessions: readonly SessionResult[];
  readonly queues: readonly QueueResult[];
}

export interface QueueResult {
  readonly sent: number;
  /** Null if drops are only counted for all queues together. */
  readonly dropped: number | null;
  /** Percentiles of the packets' waits in this queue, ms; null without packets. */
  readonly wait_p2_ms: number | null;
  readonly wait_p50_ms: number | null;
  readonly wait_p98_ms: number | null;
}

/** Plays all sessions of a stack for an hour, packet by packet. */
export function playStack(hour: StackHour): StackResult {
  const { queues, buffer_mb, congestion_control, arm, player, sessions, seconds, seed } = hour;
  const network = new RoutedNetwork({
    ...{ congestion_control, ...SENDERS },
    port: {
      queues,
      buffer_packets: bufferPackets(buffer_mb, PACKET_MS),
      packet_ms: PACKET_MS,
    },
    random: randomStream(seed, 'senders'),
  });
  const end_s = WARM_UP_S + seconds;
  const film = nominalFilm(FILM, end_s + BUFFERED_S);
  const visits = sessions.map((session) => ({
    session,
    visit: new VISITS[player]({ session, arm, film, network, end_s, seed }),
  }));
  network.runTo(1000 * WARM_UP_S);
  const before = network.router.counts;
  network.runTo(1000 * end_s);
  const results = network.router.counts.map((counts, index) => queueResult(counts, before[index]));
  const sent = results.reduce((sum, queue) => sum + queue.sent, 0);
  return {
    utilization: (sent * PACKET_MS) / (1000 * seconds),
    // Collected before the filter, so that a failed session of the warm-up also throws its Error.
    sessions: visits
      .map(({ session, visit }) => toSessionResult(session, visit))
      .filter((_, index) => (sessions[index]?.at_s ?? 0) >= WARM_UP_S),
    queues: results,
  };
}

function toSessionResult({ server, queue, rtt_ms }: PlannedSession, visit: Visit): SessionResult {
  const watched = visit.watched();
  const senders = visit.wire.connections.flatMap(({ sender }) => sender ?? []);
  return {
    ...{ server, queue, rtt_ms },
    ...watchedResult(watched),
    min_rtt_ms: senders.length === 0 ? null : Math.min(...senders.map(({ leastRtt_ms }) => leastRtt_ms)),
    sent_packets: sum(senders.map(({ counts }) => counts.sent)),
    retransmitted_packets: sum(senders.map(({ counts }) => counts.retransmitted)),
    receive_limited_packets: sum(senders.map(({ flow }) => flow.receiveLimited)),
  };
}

function queueResult({ sent, dropped, waits }: QueueCounts, before: QueueCounts | undefined): QueueResult {
  const own = Array.from(waits, (count, wait) => count - (before?.waits[wait] ?? 0));
  const at = (share: number) => waitQuantile_ms(own, share);
  return {
    sent: sent - (before?.sent ?? 0),
    dropped: dropped - (before?.dropped ?? 0),
    ...{ wait_p2_ms: at(0.02), wait_p50_ms: at(0.5), wait_p98_ms: at(0.98) },
  };
}

/** The wait that this share of the packets does not exceed, ms; null without packets. */
function waitQuantile_ms(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const wait = counts.findIndex((count) => (seen += count) >= share * all);
  return all === 0 ? null : wait * PACKET_MS;
}

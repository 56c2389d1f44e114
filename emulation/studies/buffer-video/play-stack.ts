import type { VirtualControl } from '../../../buffers/packets/controls/control-named.ts';
import { kernels } from '../../../buffers/packets/kernel-rules.ts';
import { RoutedNetwork } from '../../../buffers/packets/routed-network.ts';
import type { QueueCounts } from '../../../buffers/packets/round-robin-router.ts';
import type { Arm } from '../../player/arms/arm.ts';
import { Player, START_MS } from '../../player/model/player/player.ts';
import { leavesAfter_s, PATIENCES } from '../../player/light/patience.ts';
import { seenOf } from '../../player/light/seen-of.ts';
import { streamOf } from '../world/arrivals.ts';
import { nominalFilm } from '../world/tcp/nominal-film.ts';
import { FILM, LOW_BELOW_KBPS, RATE_KBPS, WARM_UP_S, type PlannedSession } from './demand.ts';
import { CONTENT_BYTES, FRAME_BYTES, PacketWire } from './packet-wire.ts';
import { bufferMs, type Server } from './sites.ts';

/** What dash.js's buffer may be beyond a session's end, s. */
const BUFFERED_S = 90;
const PACKET_MS = (FRAME_BYTES * 8) / RATE_KBPS;
/** Senders are paced by TCP, since a burst would be a large part of a scaled buffer. */
const SENDERS = { paced: true, kernel: kernels['6.1'] } as const;
/** All players begin on this day, ms since 1970. */
const TODAY_MS = 1_700_000_000_000;
/** Player and network round differently: what is due within a nanosecond is due now. */
const SAME_MS = 1e-6;

/** A stack of a site for an hour. */
export interface StackHour {
  /** Virtual output queues of its port. */
  readonly queues: number;
  readonly buffer_mb: number;
  readonly congestion_control: VirtualControl;
  readonly arm: Pick<Arm, 'sammy' | 'settings'>;
  readonly sessions: readonly PlannedSession[];
  /** After the warm-up. */
  readonly seconds: number;
  readonly seed: number;
}

/** What became of a session that began in what is counted. */
export interface SessionResult {
  readonly server: Server;
  readonly queue: number;
  readonly rtt_ms: number;
  /** Null where the viewer left before. */
  readonly play_delay_ms: number | null;
  readonly rebuffer_count: number;
  readonly played_s: number;
  readonly mean_bitrate_kbps: number | null;
  /** Of the content fetched, s: all, and at a low bitrate. */
  readonly fetched_s: number;
  readonly low_s: number;
  /** Of all its connections; null where no handshake was over. */
  readonly min_rtt_ms: number | null;
  readonly sent_packets: number;
  readonly retransmitted_packets: number;
  /** Of the packets sent for the first time, those that filled the receive window. */
  readonly receive_limited_packets: number;
}

export interface StackResult {
  /** Of the link, 0 to 1. */
  readonly utilization: number;
  readonly sessions: readonly SessionResult[];
  readonly queues: readonly QueueResult[];
}

/** One virtual output queue. */
export interface QueueResult {
  readonly sent: number;
  readonly dropped: number;
  /** What its packets waited: percentiles, ms; null where it had none. */
  readonly wait_p2_ms: number | null;
  readonly wait_p50_ms: number | null;
  readonly wait_p98_ms: number | null;
}

/** Plays all sessions of a stack for an hour, packet by packet. */
export function playStack(hour: StackHour): StackResult {
  const { queues, buffer_mb, congestion_control, sessions, seconds, seed } = hour;
  const network = new RoutedNetwork({
    ...{ congestion_control, ...SENDERS },
    port: {
      queues,
      buffer_packets: Math.max(1, Math.floor(bufferMs(buffer_mb) / PACKET_MS)),
      packet_ms: PACKET_MS,
    },
    random: streamOf(seed, 'senders'),
  });
  const end_s = WARM_UP_S + seconds;
  const film = nominalFilm(FILM, end_s + BUFFERED_S);
  const visits = sessions.map((session) => new Visit(session, { ...hour, film, network, end_s }));
  network.runTo(1000 * WARM_UP_S);
  const before = network.router.counts;
  network.runTo(1000 * end_s);
  const results = network.router.counts.map((counts, index) => queueResult(counts, before[index]));
  const sent = results.reduce((sum, queue) => sum + queue.sent, 0);
  return {
    utilization: (sent * PACKET_MS) / (1000 * seconds),
    sessions: visits.flatMap((visit) => (visit.session.at_s < WARM_UP_S ? [] : visit.result())),
    queues: results,
  };
}

interface VisitParts extends Pick<StackHour, 'arm'> {
  readonly film: ReturnType<typeof nominalFilm>;
  readonly network: RoutedNetwork;
  readonly end_s: number;
}

/** A viewer and the player, from coming to leaving. */
class Visit {
  readonly session: PlannedSession;
  readonly #parts: VisitParts;
  readonly #began_ms: number;
  readonly #player: Player;
  readonly #wire: PacketWire;
  #planned_ms = Infinity;
  #ended: ReturnType<Player['end']> | undefined;

  constructor(session: PlannedSession, parts: VisitParts) {
    const { network, arm, film, end_s } = parts;
    this.session = session;
    this.#parts = parts;
    this.#began_ms = 1000 * session.at_s;
    this.#wire = new PacketWire({
      network,
      route: {
        queue: session.queue,
        rtt_ms: session.rtt_ms,
        line: { packet_ms: (FRAME_BYTES * 8) / session.access_kbps, free_ms: 0 },
        receive_window: Math.floor(session.receive_window_bytes / CONTENT_BYTES),
      },
      congestionControl: network.options.congestion_control,
      began_ms: this.#began_ms,
      changed: () => this.#go(),
    });
    const seconds = Math.min(session.watch_s, end_s - session.at_s);
    this.#player = new Player({ arm, film, seconds }, this.#wire, TODAY_MS);
    network.at(this.#began_ms, () => this.#come());
  }

  get #now_ms(): number {
    return this.#parts.network.now_ms() - this.#began_ms;
  }

  #come(): void {
    this.#player.request();
    this.#wire.start((receipt) => {
      if (this.#ended) return;
      this.#player.hear(receipt);
      this.#player.begin(this.#now_ms + START_MS);
      this.#go();
    });
    this.#go();
  }

  /** What is due happens; then it waits for what comes next. */
  #go(): void {
    if (this.#ended) return;
    const now_ms = this.#now_ms;
    while (this.#player.next_ms <= now_ms + SAME_MS)
      this.#player.happen(Math.max(now_ms, this.#player.next_ms));
    const leaves_ms = this.#leaves_ms;
    if (leaves_ms <= now_ms + SAME_MS) this.#leave();
    else this.#wakeAt(Math.min(leaves_ms, this.#player.next_ms));
  }

  #wakeAt(due_ms: number): void {
    if (this.#planned_ms <= due_ms) return;
    this.#planned_ms = due_ms;
    this.#parts.network.at(this.#began_ms + due_ms, () => {
      if (this.#planned_ms !== due_ms) return;
      this.#planned_ms = Infinity;
      this.#go();
    });
  }

  get #leaves_ms(): number {
    const { watch_s, at_s, rank } = this.session;
    const stays_s = Math.min(watch_s, this.#parts.end_s - at_s);
    const intent = { watch_s: stays_s, rank, patience: PATIENCES['krishnan-sitaraman'] };
    return 1000 * leavesAfter_s(intent, seenOf(this.#player.playback));
  }

  #leave(): void {
    this.#ended = this.#player.end(this.#now_ms);
    this.#wire.close();
  }

  result(): SessionResult {
    if (!this.#ended) this.#leave();
    const { summary, decisions } = this.#ended ?? this.#player.end(this.#now_ms);
    const senders = this.#wire.connections.flatMap(({ sender }) => sender ?? []);
    const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
    const completed = decisions.filter(({ outcome }) => outcome === 'completed');
    const durationOf = (of: typeof completed) => sum(of.map((each) => each.segment_duration_s));
    const { server, queue, rtt_ms } = this.session;
    return {
      ...{ server, queue, rtt_ms },
      play_delay_ms: summary.play_delay_ms,
      rebuffer_count: summary.rebuffer_count,
      played_s: summary.played_s,
      mean_bitrate_kbps: summary.mean_bitrate_kbps,
      fetched_s: durationOf(completed),
      low_s: durationOf(completed.filter(({ bitrate_kbps }) => bitrate_kbps < LOW_BELOW_KBPS)),
      min_rtt_ms: senders.length === 0 ? null : Math.min(...senders.map(({ leastRtt_ms }) => leastRtt_ms)),
      sent_packets: sum(senders.map(({ counts }) => counts.sent)),
      retransmitted_packets: sum(senders.map(({ counts }) => counts.retransmitted)),
      receive_limited_packets: sum(senders.map(({ flow }) => flow.receiveLimited)),
    };
  }
}

function queueResult({ sent, dropped, waits }: QueueCounts, before: QueueCounts | undefined): QueueResult {
  const own = Array.from(waits, (count, wait) => count - (before?.waits[wait] ?? 0));
  const at = (share: number) => waitAt(own, share);
  return {
    sent: sent - (before?.sent ?? 0),
    dropped: dropped - (before?.dropped ?? 0),
    ...{ wait_p2_ms: at(0.02), wait_p50_ms: at(0.5), wait_p98_ms: at(0.98) },
  };
}

/** The wait that `share` of the packets do not exceed, ms; null of no packets. */
function waitAt(counts: readonly number[], share: number): number | null {
  const all = counts.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const wait = counts.findIndex((count) => (seen += count) >= share * all);
  return all === 0 ? null : wait * PACKET_MS;
}

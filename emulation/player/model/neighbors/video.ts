import { ConnectionPool } from '../../../network/virtual/rounds/pool.ts';
import { dashjs } from '../../arms/dashjs.ts';
import type { VideoStart } from '../../neighbors/video/video-page.ts';
import { videoResult } from '../../neighbors/video/video-result.ts';
import { startAfter_s, VIDEO_TIMING } from '../../neighbors/video/video-timing.ts';
import { Player, START_BYTES, START_MS, START_ROUND_TRIPS } from '../player/player.ts';
import { TODAY_MS } from '../simulated-session.ts';
import { SimulatedWire } from '../player/simulated-wire.ts';
import type { NeighborNetwork, NeighborPath, SimulatedNeighbor } from './neighbor.ts';

/** One playback of the video: its connections and its player, on the clock of the neighboring session. */
interface Viewing {
  readonly requested_ms: number;
  readonly pool: ConnectionPool;
  readonly player: Player;
  /** When the playback is closed; Infinity until it plays. */
  closes_ms: number;
}

/** Stock dash.js that plays the video again and again, each time with new connections and an empty cache. */
export class SimulatedVideo implements SimulatedNeighbor {
  readonly #path: NeighborPath;
  readonly #network: NeighborNetwork;
  readonly #starts: VideoStart[] = [];
  #playback_ms = NaN;
  #due_ms = Infinity;
  #viewing: Viewing | undefined;

  constructor(path: NeighborPath, network: NeighborNetwork) {
    this.#path = path;
    this.#network = network;
  }

  get next_ms(): number {
    const { pool, player, closes_ms } = this.#viewing ?? {};
    if (!pool || !player) return this.#due_ms;
    return Math.min(pool.next?.next_ms ?? Infinity, player.next_ms, closes_ms ?? Infinity);
  }

  playbackStarted(now_ms: number): void {
    this.#playback_ms = now_ms;
    this.#due_ms = this.#nextStart_ms();
  }

  send(): void {
    const { next_ms } = this;
    const viewing = this.#viewing;
    if (!viewing) this.#viewing = this.#start(next_ms);
    else if (next_ms === viewing.closes_ms) this.#close(viewing);
    else if (next_ms === viewing.pool.next?.next_ms) viewing.pool.next.sendBatch();
    else this.#play(viewing, next_ms);
  }

  result(session: Parameters<SimulatedNeighbor['result']>[0]) {
    return videoResult(this.#starts, { requestedAt_ms: 0, flights: session.flights });
  }

  #start(requested_ms: number): Viewing {
    const { control, film, rtt_ms } = this.#network;
    const { bottleneck } = this.#path;
    const pool = new ConnectionPool({ ...this.#path, observe: this.#path.observe }, control);
    const wire = new SimulatedWire({ pool, congestionControl: 'reno', rtt_ms, goodputOfPace: 1 });
    const player = new Player({ arm: dashjs, film, seconds: Infinity }, wire, TODAY_MS);
    player.moveTo(requested_ms);
    player.request();
    // Unlike at the start of the measured session, packets of others may be in the queue.
    const roundTrip_ms = rtt_ms + bottleneck.delay(requested_ms);
    const answered_ms = requested_ms + START_MS + START_ROUND_TRIPS * roundTrip_ms;
    player.begin(bottleneck.capacity.timeToCarry(answered_ms, START_BYTES));
    return { requested_ms, pool, player, closes_ms: Infinity };
  }

  #play(viewing: Viewing, now_ms: number): void {
    const { player, requested_ms } = viewing;
    player.runNextEvent(now_ms);
    const { playingAt_ms } = player;
    if (playingAt_ms === null || viewing.closes_ms < Infinity) return;
    this.#starts.push({ requested_ms, play_delay_ms: playingAt_ms - requested_ms });
    viewing.closes_ms = playingAt_ms + VIDEO_TIMING.played_s * 1000;
  }

  #close({ pool, closes_ms }: Viewing): void {
    pool.closeAll(closes_ms);
    this.#viewing = undefined;
    this.#due_ms = Math.max(this.#nextStart_ms(), closes_ms);
  }

  #nextStart_ms(): number {
    return this.#playback_ms + 1000 * startAfter_s(VIDEO_TIMING, this.#starts.length);
  }
}

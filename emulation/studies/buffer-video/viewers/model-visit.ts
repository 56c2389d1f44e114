import { leavingTime_s, PATIENCES } from '../../../player/light/patience.ts';
import { summarizeStalls } from '../../../player/light/summarize-stalls.ts';
import { armNamed } from '../../../player/arms/index.ts';
import { Player, START_MS } from '../../../player/model/player/player.ts';
import type { PacketWire } from './packet-wire.ts';
import {
  stays_s,
  TODAY_MS,
  VIEWERS_PATIENCE,
  wireFor,
  type Visit,
  type VisitParts,
  type Watched,
} from './visit.ts';

/** Events that are due within a nanosecond run now, because player and network round differently. */
const SAME_MS = 1e-6;

/** A viewer whose player is the model of dash.js. */
export class ModelVisit implements Visit {
  readonly wire: PacketWire;
  readonly #parts: VisitParts;
  readonly #began_ms: number;
  readonly #player: Player;
  #planned_ms = Infinity;
  #ended: Watched | undefined;

  constructor(parts: VisitParts) {
    const { network, arm, film, session } = parts;
    this.#parts = parts;
    this.#began_ms = 1000 * session.at_s;
    this.wire = wireFor(parts, () => this.#go());
    this.#player = new Player({ arm: armNamed(arm), film, seconds: stays_s(parts) }, this.wire, TODAY_MS);
    network.at(this.#began_ms, () => this.#come());
  }

  get #now_ms(): number {
    return this.#parts.network.now_ms() - this.#began_ms;
  }

  #come(): void {
    this.#player.request();
    this.wire.start((receipt) => {
      if (this.#ended) return;
      this.#player.recordReceipt(receipt);
      this.#player.begin(this.#now_ms + START_MS);
      this.#go();
    });
    this.#go();
  }

  /** Runs the due events, and schedules the next call for the next event. */
  #go(): void {
    if (this.#ended) return;
    const now_ms = this.#now_ms;
    while (this.#player.next_ms <= now_ms + SAME_MS)
      this.#player.runNextEvent(Math.max(now_ms, this.#player.next_ms));
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
    const { rank } = this.#parts.session;
    const intent = { watch_s: stays_s(this.#parts), rank, patience: PATIENCES[VIEWERS_PATIENCE] };
    return 1000 * leavingTime_s(intent, summarizeStalls(this.#player.playback));
  }

  #leave(): Watched {
    this.#ended = this.#player.end(this.#now_ms);
    this.wire.close();
    return this.#ended;
  }

  watched(): Watched {
    return this.#ended ?? this.#leave();
  }
}

import type { Kbps, Milliseconds } from '../../../src/units.ts';
import { arbitrate } from '../../arbitration.ts';

/** What one response under way has of its socket. */
export interface Share {
  /** Null: this one is not to be held back. */
  pace: Kbps | null;
  /** How much the socket must have delivered until the client has this response; unknown while it is written. */
  deliveredAt?: number;
  readonly timer: NodeJS.Timeout | null;
}

/** The socket underneath, as far as its pace is concerned. */
export interface PaceableSocket {
  /** False when it cannot be paced. */
  setPace(pace: Kbps | null): boolean;
  /** Bytes that the client's kernel has acknowledged; null when that cannot be known. */
  acknowledged(): number | null;
}

/**
 * The responses under way on one socket, and the one pace it has because of them. It is set anew when a
 * response begins and when its client has it whole; an idle socket keeps its last pace, since nothing is sent
 * on it before the next response begins.
 */
export class SharedPace {
  readonly #underWay = new Set<Share>();
  #applied: Kbps | null = null;

  constructor(
    readonly socket: PaceableSocket,
    /** No pace outlives this: then the response goes on unpaced, so that a tiny pace holds nothing for long. */
    readonly longest: Milliseconds,
  ) {}

  /** What the socket has now. */
  get applied(): Kbps | null {
    return this.#applied;
  }

  /** Before the first byte of a response. Its share says null when the socket cannot be paced. */
  begin(pace: Kbps | null): Share {
    this.#forgetDelivered();
    const share: Share = {
      pace,
      timer: pace === null ? null : setTimeout(() => this.#release(share), this.longest).unref(),
    };
    this.#underWay.add(share);
    if (!this.#apply()) share.pace = null;
    return share;
  }

  /** The client has the response, or is gone. */
  end(share: Share): void {
    clearTimeout(share.timer ?? undefined);
    if (this.#underWay.delete(share)) this.#apply();
  }

  #release(share: Share): void {
    share.pace = null;
    this.#apply();
  }

  /** A client that asks for more may have all of the last response before its end was noticed here. */
  #forgetDelivered(): void {
    const finished = [...this.#underWay].filter(({ deliveredAt }) => deliveredAt !== undefined);
    if (finished.length === 0) return;
    const acknowledged = this.socket.acknowledged() ?? 0;
    for (const share of finished) {
      if ((share.deliveredAt ?? Infinity) <= acknowledged) this.#underWay.delete(share);
    }
  }

  #apply(): boolean {
    if (this.#underWay.size === 0) return true;
    const wanted = arbitrate([...this.#underWay].map(({ pace }) => pace));
    if (wanted === this.#applied) return true;
    const done = this.socket.setPace(wanted);
    if (done) this.#applied = wanted;
    return done;
  }
}

import type { Milliseconds } from '../../../src/units.ts';
import { ARBITRATE } from '../../arbitration.ts';
import type { SocketVerdict } from '../../policy.ts';

/** One response under way, and what it wants of its socket. A property that the socket refused is null. */
export interface Share {
  readonly wanted: SocketVerdict;
  /** How much the socket must have delivered until the client has this response; unknown while it is written. */
  deliveredAt?: number;
  readonly timer: NodeJS.Timeout | null;
}

/** How each property of a verdict is given to the socket underneath. False when it cannot be. */
export type SocketSetters = {
  readonly [Property in keyof SocketVerdict]: (value: SocketVerdict[Property]) => boolean;
};

export interface SocketBelow {
  readonly set: SocketSetters;
  /** Bytes that the client's kernel has acknowledged; null when that cannot be known. */
  acknowledged(): number | null;
}

/** What a socket has that no response has touched. */
const UNTOUCHED: SocketVerdict = { congestionControl: null, pace: null };
/** In the order in which they are set. */
const PROPERTIES = Object.keys(UNTOUCHED) as (keyof SocketVerdict)[];

/**
 * The responses under way on one socket, and what the socket has because of them. It is set anew when a response
 * begins and when its client has it whole; an idle socket keeps what it had last, since nothing is sent on it before
 * the next response begins.
 */
export class SharedSocket {
  readonly #underWay = new Set<Share>();
  #applied = UNTOUCHED;

  constructor(
    readonly socket: SocketBelow,
    /** No pace outlives this: then the response goes on unpaced, so that a tiny pace holds nothing for long. */
    readonly longestPaced: Milliseconds,
  ) {}

  /** What the socket has now. */
  get applied(): SocketVerdict {
    return this.#applied;
  }

  /** Before the first byte of a response. */
  begin({ pace, congestionControl }: SocketVerdict): Share {
    this.#forgetDelivered();
    const share: Share = {
      wanted: { pace, congestionControl },
      timer: pace === null ? null : setTimeout(() => this.#release(share), this.longestPaced).unref(),
    };
    this.#underWay.add(share);
    for (const property of PROPERTIES) {
      if (!this.#apply(property)) Object.assign(share.wanted, { [property]: null });
    }
    return share;
  }

  /** The client has the response, or is gone. */
  end(share: Share): void {
    clearTimeout(share.timer ?? undefined);
    if (this.#underWay.delete(share)) this.#applyAll();
  }

  #release(share: Share): void {
    Object.assign(share.wanted, { pace: null });
    this.#applyAll();
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

  #applyAll(): void {
    for (const property of PROPERTIES) this.#apply(property);
  }

  /** False when the socket refuses. */
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- ties what is arbitrated to its setter
  #apply<Property extends keyof SocketVerdict>(property: Property): boolean {
    if (this.#underWay.size === 0) return true;
    const wanted = ARBITRATE[property]([...this.#underWay].map((share) => share.wanted));
    if (wanted === this.#applied[property]) return true;
    const done = this.socket.set[property](wanted);
    if (done) this.#applied = { ...this.#applied, [property]: wanted };
    return done;
  }
}

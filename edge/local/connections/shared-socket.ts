import type { Milliseconds } from '../../../src/units.ts';
import { ARBITRATE } from '../../arbitration.ts';
import type { SocketVerdict } from '../../policy.ts';

/** A response in flight and its requested socket settings. A property that the socket refused is null. */
export interface Share {
  readonly wanted: SocketVerdict;
  /**
   * The socket's count of delivered bytes at which the client has the complete response; undefined while the response
   * is being written.
   */
  deliveredAt?: number;
  /**
   * Whether the pace has applied since the response began. False after a change, and after a time in which the socket
   * was unpaced.
   */
  keptPace: boolean;
  /** The timer that ends the pace; null if there is no pace or the timer has fired. */
  timer: NodeJS.Timeout | null;
}

/** Functions that apply each property of a verdict to the socket; they return false if that fails. */
export type SocketSetters = {
  readonly [Property in keyof SocketVerdict]: (value: SocketVerdict[Property]) => boolean;
};

export interface SocketBelow {
  readonly set: SocketSetters;
  /** The bytes that the client's kernel has acknowledged; null when not known. */
  acknowledged(): number | null;
}

/** The settings of a socket before its first response. */
const UNTOUCHED: SocketVerdict = { floor: null, congestionControl: null, pace: null };
/**
 * The settings of a response that does not yield. A response without a floor must not have the congestion control that
 * yields, because it would yield everything.
 */
const NOT_YIELDING = { floor: null, congestionControl: null };
/** The properties in the order in which they are set. */
const PROPERTIES = Object.keys(UNTOUCHED) as (keyof SocketVerdict)[];

/**
 * The responses in flight on one socket, and the resulting socket settings. The settings are updated when a response
 * begins, and when the client has received a complete response. An idle socket keeps its last settings, because nothing
 * is sent before the next response begins.
 */
export class SharedSocket {
  readonly #underWay = new Set<Share>();
  #applied = UNTOUCHED;

  constructor(
    readonly socket: SocketBelow,
    /** After this time, a response continues unpaced, so that a very low pace does not keep files open for long. */
    readonly longestPaced: Milliseconds,
  ) {}

  /** The socket's present settings. */
  get applied(): SocketVerdict {
    return this.#applied;
  }

  /** Adds a response. Call it before the first byte is written. */
  begin({ pace, congestionControl, floor }: SocketVerdict): Share {
    this.#forgetDelivered();
    const share: Share = {
      wanted: { pace, congestionControl, floor },
      keptPace: pace !== null,
      timer: pace === null ? null : setTimeout(() => this.#release(share), this.longestPaced).unref(),
    };
    this.#underWay.add(share);
    this.#applyFor(share);
    return share;
  }

  /** Adds a response without content, which needs no settings and does not affect the others. */
  pass(): Share {
    return { wanted: { ...this.#applied }, keptPace: false, timer: null };
  }

  /**
   * Changes the settings of a response in flight, possibly after an earlier change to unpaced. Returns false if the
   * response has ended, or has exceeded the longest duration of a pace.
   */
  change(share: Share, wanted: SocketVerdict): boolean {
    if (!this.#underWay.has(share) || share.timer === null) return false;
    if (wanted.pace !== share.wanted.pace) share.keptPace = false;
    Object.assign(share.wanted, wanted);
    this.#applyFor(share);
    return true;
  }

  /** Removes a response. Call it when the client has received the response or is gone. */
  end(share: Share): void {
    clearTimeout(share.timer ?? undefined);
    if (this.#underWay.delete(share)) this.#applyAll();
  }

  #release(share: Share): void {
    share.timer = null;
    share.keptPace = false;
    if (share.wanted.floor !== null) Object.assign(share.wanted, NOT_YIELDING);
    Object.assign(share.wanted, { pace: null });
    this.#applyAll();
  }

  /**
   * Removes delivered responses for which `end` has not been called yet. The client may already have sent its next
   * request.
   */
  #forgetDelivered(): void {
    const finished = [...this.#underWay].filter(({ deliveredAt }) => deliveredAt !== undefined);
    if (finished.length === 0) return;
    const acknowledged = this.socket.acknowledged() ?? 0;
    for (const share of finished) {
      if ((share.deliveredAt ?? Infinity) <= acknowledged) this.#underWay.delete(share);
    }
  }

  /** Updates the socket. Properties of the share that the socket refuses become null. */
  #applyFor(share: Share): void {
    for (const property of PROPERTIES) {
      if (this.#apply(property)) continue;
      const isFloor = property === 'floor' && share.wanted.floor !== null;
      Object.assign(share.wanted, isFloor ? NOT_YIELDING : { [property]: null });
    }
  }

  #applyAll(): void {
    for (const property of PROPERTIES) this.#apply(property);
  }

  /** Updates one property of the socket. Returns false if the socket refuses the value. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- ties what is arbitrated to its setter
  #apply<Property extends keyof SocketVerdict>(property: Property): boolean {
    if (this.#underWay.size === 0) return true;
    const wanted = ARBITRATE[property]([...this.#underWay].map((share) => share.wanted));
    if (property === 'pace' && wanted === null) for (const share of this.#underWay) share.keptPace = false;
    if (wanted === this.#applied[property]) return true;
    const done = this.socket.set[property](wanted);
    if (done) this.#applied = { ...this.#applied, [property]: wanted };
    return done;
  }
}

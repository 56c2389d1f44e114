import type { Kbps } from '../../../src/units.ts';
import type { SocketVerdict } from '../../policy.ts';

/** A response in flight whose pace may change. */
export interface Changeable {
  /** The lowest pace that the response may get: the player's floor or the segment's bitrate, whichever is higher. */
  readonly least: Kbps | null;
  /** Applies new settings to the response's socket. Returns false if the response is not paced any more. */
  readonly change: (wanted: SocketVerdict) => boolean;
}

/** A requested change of a response in flight. Processes send it to each other. */
export interface PaceChange {
  readonly secret: string;
  readonly wanted: SocketVerdict;
}

/**
 * The maximum number of changes per response. A player checks the pace four times per second, and a segment takes
 * seconds.
 */
const MOST_CHANGES = 100;

/** The responses in flight whose clients may change their pace, by the secret of the request. */
export class PaceChanges {
  readonly #underWay = new Map<string, Changeable & { left: number }>();

  /**
   * Adds a response until the returned function is called. If another response already has the secret, the new response
   * is ignored, so that a client that learns a secret cannot take the place of its response.
   */
  add(secret: string, response: Changeable): () => void {
    if (this.#underWay.has(secret)) return () => undefined;
    const entry = { ...response, left: MOST_CHANGES };
    this.#underWay.set(secret, entry);
    return () => {
      if (this.#underWay.get(secret) === entry) this.#underWay.delete(secret);
    };
  }

  /**
   * Changes the response with this secret. Returns false if this process has no such response, or if it has reached the
   * limit of changes.
   */
  apply({ secret, wanted }: PaceChange): boolean {
    const response = this.#underWay.get(secret);
    if (!response || response.left === 0) return false;
    response.left -= 1;
    return response.change(raised(wanted, response.least));
  }

  /** The number of responses that can be changed. */
  get size(): number {
    return this.#underWay.size;
  }
}

/** Raises the pace to at least `least`. */
const raised = (wanted: SocketVerdict, least: Kbps | null): SocketVerdict =>
  wanted.pace === null || least === null || wanted.pace >= least ? wanted : { ...wanted, pace: least };

import type { Kbps } from '../../../src/units.ts';
import type { SocketVerdict } from '../../policy.ts';

/** A response under way whose pace may change. */
export interface Changeable {
  /** The least pace that it may be given: what its player said that it needs, and the bitrate of its segment. */
  readonly least: Kbps | null;
  /** Gives its socket other settings. False where the response is paced no longer. */
  readonly change: (wanted: SocketVerdict) => boolean;
}

/** What is asked of a response under way, as processes send it to each other. */
export interface PaceChange {
  readonly secret: string;
  readonly wanted: SocketVerdict;
}

/** The changes that one response may have: a player looks four times a second, and a segment takes seconds. */
const MOST_CHANGES = 100;

/** The responses under way whose clients may change their pace, by the secret that came with the request. */
export class PaceChanges {
  readonly #underWay = new Map<string, Changeable & { left: number }>();

  /**
   * Adds a response until the returned function is called. A secret that another response has already is of no use: whoever
   * has heard of it must not be able to take its place.
   */
  add(secret: string, response: Changeable): () => void {
    if (this.#underWay.has(secret)) return () => undefined;
    const entry = { ...response, left: MOST_CHANGES };
    this.#underWay.set(secret, entry);
    return () => {
      if (this.#underWay.get(secret) === entry) this.#underWay.delete(secret);
    };
  }

  /** Changes the response of this secret. False where there is none here, or it has had its changes. */
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

/** Never slower than what plays. */
const raised = (wanted: SocketVerdict, least: Kbps | null): SocketVerdict =>
  wanted.pace === null || least === null || wanted.pace >= least ? wanted : { ...wanted, pace: least };

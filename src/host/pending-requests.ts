import { kbps, type Kbps } from '../units.ts';
import { roundUpToRtp } from '../wire/rtp.ts';
import { getOrigin } from './origin.ts';

/**
 * A request of a player, identified by object identity. The URL is absolute, and may change until the request is sent.
 */
export interface PlayerRequest {
  readonly mediaType: string;
  readonly url: string | null;
}

interface Entry {
  readonly request: PlayerRequest;
  readonly origin: string;
  readonly pace: Kbps | null;
}

/**
 * The requests in flight, with their paces. A player has at most one request per media type, so a request whose end is
 * never reported is removed by the next request of its type.
 */
export class PendingRequests {
  readonly #byType = new Map<string, Entry>();

  /**
   * Adds a request. Returns the sum of the paces of all requests in flight to its origin,
   * including this one; null if any of them is unpaced.
   */
  add(request: PlayerRequest, pace: Kbps | null): Kbps | null {
    const origin = getOrigin(request.url);
    this.#byType.set(request.mediaType, { request, origin, pace });
    let sum = 0;
    for (const entry of this.#byType.values()) {
      if (entry.origin !== origin) continue;
      if (entry.pace === null) return null;
      sum += roundUpToRtp(entry.pace);
    }
    return kbps(sum);
  }

  /** Called when the response has ended. */
  remove(request: PlayerRequest): void {
    if (this.#byType.get(request.mediaType)?.request === request) this.#byType.delete(request.mediaType);
  }
}

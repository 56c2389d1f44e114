import type { Ladder, Rung } from '../film/ladder.ts';
import { bytes, seconds } from '../units.ts';
import type { Hooks } from './hooks.ts';
import type { FragmentRequest, MediaRequest } from './player.ts';

/** A request in flight, as dash.js shows it to an abandonment rule. */
export interface RequestInFlight extends FragmentRequest {
  readonly firstByteDate: Date | null;
}

/** Asks the core whether to abandon downloads. Each segment is abandoned at most once, so its replacement is safe. */
export class Abandonment {
  /** Start time of the last abandoned segment, by media type. An index would not do: it restarts in every period. */
  readonly #lastAbandoned = new Map<string, number>();
  readonly #hooks: Hooks;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** Returns the rung at which to download the segment again, or undefined to let the download continue. */
  choose(
    request: RequestInFlight & MediaRequest,
    ladder: Ladder,
    currentId: string | undefined,
  ): Rung | undefined {
    const { mediaType, startTime, firstByteDate } = request;
    const current = ladder.find(({ id }) => id === currentId);
    if (!current || !firstByteDate || this.#lastAbandoned.get(mediaType) === startTime) return undefined;
    const rung = this.#hooks.chooseAbandonment(request, ladder, current, {
      loaded: bytes(request.bytesLoaded),
      total: bytes(request.bytesTotal),
      elapsed: seconds((Date.now() - firstByteDate.getTime()) / 1000),
    });
    if (rung) this.#lastAbandoned.set(mediaType, startTime);
    return rung;
  }

  reset(): void {
    this.#lastAbandoned.clear();
  }
}

import type { Ladder, Rung } from '../film/ladder.ts';
import { bytes, seconds } from '../units.ts';
import type { Hooks } from './hooks.ts';
import type { FragmentRequest } from './player.ts';

/** A request in flight, as dash.js shows it to an abandonment rule. */
export interface RequestInFlight extends FragmentRequest {
  readonly firstByteDate: Date | null;
}

/** Asks the core about downloads in flight, but once a segment: the replacement is not given up too. */
export class Abandonment {
  /** Where the segment that was given up last begins, by media type. Its index would be another segment's in another period. */
  readonly #last = new Map<string, number>();
  readonly #hooks: Hooks;

  constructor(hooks: Hooks) {
    this.#hooks = hooks;
  }

  /** The rung to begin the segment anew with; undefined lets the download go on. */
  choose(
    request: RequestInFlight,
    ladder: Ladder | undefined,
    currentId: string | undefined,
  ): Rung | undefined {
    const { mediaType, startTime, firstByteDate } = request;
    const current = ladder?.find(({ id }) => id === currentId);
    if (!ladder || !current || !firstByteDate || this.#last.get(mediaType) === startTime) return undefined;
    const rung = this.#hooks.chooseAbandonment(request, ladder, current, {
      loaded: bytes(request.bytesLoaded),
      total: bytes(request.bytesTotal),
      elapsed: seconds((Date.now() - firstByteDate.getTime()) / 1000),
    });
    if (rung) this.#last.set(mediaType, startTime);
    return rung;
  }

  reset(): void {
    this.#last.clear();
  }
}

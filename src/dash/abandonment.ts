import type { Ladder, Rung } from '../ladder.ts';
import { bytes, seconds } from '../units.ts';
import type { Hooks } from './hooks.ts';
import type { FragmentRequest } from './player.ts';

/** A request in flight, as dash.js shows it to an abandonment rule. */
export interface RequestInFlight extends FragmentRequest {
  readonly index: number;
  readonly firstByteDate: Date | null;
}

/** Asks the core about downloads in flight, but once a segment: the replacement is not given up too. */
export class Abandonment {
  /** Index of the segment that was given up last, by media type. */
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
    const { mediaType, index, firstByteDate } = request;
    const current = ladder?.find(({ id }) => id === currentId);
    if (!ladder || !current || !firstByteDate || this.#last.get(mediaType) === index) return undefined;
    const rung = this.#hooks.chooseAbandonment(request, ladder, current, {
      loaded: bytes(request.bytesLoaded),
      total: bytes(request.bytesTotal),
      elapsed: seconds((Date.now() - firstByteDate.getTime()) / 1000),
    });
    if (rung) this.#last.set(mediaType, index);
    return rung;
  }

  reset(): void {
    this.#last.clear();
  }
}

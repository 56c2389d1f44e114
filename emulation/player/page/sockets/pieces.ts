import type { Body } from '../network/wire.ts';

/** A body of what has arrived so far, which may grow. */
export const bodyOf = (pieces: readonly Buffer[]): Body => ({
  write: (into, from) => {
    // Where the next piece begins, seen from the beginning of what is written.
    let at = -from;
    for (const piece of pieces) {
      const part = piece.subarray(Math.max(0, -at), Math.max(0, into.length - at));
      if (part.length > 0) into.set(part, Math.max(0, at));
      at += piece.length;
    }
  },
});

import type { Body } from '../network/wire.ts';

/** A body that consists of the data that have arrived so far; `pieces` may grow. */
export const joinPieces = (pieces: readonly Buffer[]): Body => ({
  write: (into, from) => {
    // The position in the output at which the next piece starts.
    let at = -from;
    for (const piece of pieces) {
      const part = piece.subarray(Math.max(0, -at), Math.max(0, into.length - at));
      if (part.length > 0) into.set(part, Math.max(0, at));
      at += piece.length;
    }
  },
});

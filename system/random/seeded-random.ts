export type Random = () => number;

/** Mulberry32: a small random number generator with a seed, from 0 to below 1. */
export function seededRandom(seed: number): Random {
  // Signed: V8 keeps such numbers of 32 bits without an allocation.
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export type Random = () => number;

/** Mulberry32: a small seeded random number generator. Its numbers are at least 0 and below 1. */
export function seededRandom(seed: number): Random {
  // A signed 32-bit integer, which V8 stores without an allocation.
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

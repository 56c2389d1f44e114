/**
 * The bucket of a unit: a fraction from 0 to 0.9999 that is uniform over units, and identical in every runtime. As in
 * GrowthBook's `hashVersion` 2, the 32-bit FNV-1a hash of seed and unit is written in decimal and hashed again, modulo
 * 10,000.
 */
export const getBucket = (seed: string, unit: string): number =>
  (fnv1a(String(fnv1a(seed + unit))) % BUCKETS) / BUCKETS;

const BUCKETS = 10_000;

/** FNV-1a with 32 bits, over UTF-16 code units as in GrowthBook's JavaScript SDK; for ASCII these are the bytes. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

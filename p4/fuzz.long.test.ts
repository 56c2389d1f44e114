import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fuzzBottleneck, mutate, readSeeds, tryProgram } from './fuzz.ts';
import { seededRandom } from '../system/random/seeded-random.ts';

const PROGRAMS = 400;
const FRAMES = 20_000;
/** Timeout in milliseconds. The tests take 5 s on an idle machine, 44 s at a load of 33. */
const HANGS_MS = 300_000;

test(
  `${PROGRAMS} mutated programs compile or are rejected with an error`,
  () => {
    const random = seededRandom(5);
    const seeds = [join(import.meta.dirname, 'tests'), join(import.meta.dirname, 'programs')].flatMap(
      readSeeds,
    );
    let compiled = 0;
    for (let at = 0; at < PROGRAMS; at++) {
      const seed = seeds[at % seeds.length];
      if (seed && tryProgram(mutate(seed, random), random)) compiled++;
    }
    // Some mutated programs must compile and some must not; otherwise the mutations would test little.
    expect(compiled).toBeGreaterThan(0);
    expect(compiled).toBeLessThan(PROGRAMS);
  },
  HANGS_MS,
);

test(
  `${FRAMES} random and mutated frames: none stops the bottleneck, none changes its length`,
  () => {
    expect(() => fuzzBottleneck(FRAMES, seededRandom(6))).not.toThrow();
  },
  HANGS_MS,
);

import { join } from 'node:path';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { seededRandom } from '../system/random/seeded-random.ts';
import { fuzzBottleneck, mutate, readSeeds, tryProgram } from './fuzz.ts';

const MOST = 1_000_000_000;
const USUAL = { programs: 20_000, frames: 1_000_000, seed: 1 };

const commandLine = defineCommandLine({
  command: 'npm run p4 -- fuzz',
  about: 'Mutated programs and frames: none may stop the compiler or the switch.',
  options: {
    programs: { valueName: 'N', about: `(${USUAL.programs})`, parse: wholeNumber(0, MOST) },
    frames: { valueName: 'N', about: `(${USUAL.frames})`, parse: wholeNumber(0, MOST) },
    seed: { valueName: 'N', about: `of what is drawn (${USUAL.seed})`, parse: wholeNumber(0, MOST) },
  },
});
export const { help } = commandLine;

export function main(args: readonly string[]): void {
  const { values } = commandLine.parse(args);
  const { programs = USUAL.programs, frames = USUAL.frames, seed = USUAL.seed } = values;
  fuzz(programs, frames, seed);
}

/** Milliseconds between two lines of progress. */
const PROGRESS = 2000;

function fuzz(programs: number, frames: number, seed: number): void {
  const random = seededRandom(seed);
  const seeds = ['tests', 'programs'].flatMap((folder) => readSeeds(join(import.meta.dirname, folder)));
  let progress = reporter('programs', programs);
  let compiled = 0;
  for (let at = 1; at <= programs; at++) {
    const chosen = seeds[at % seeds.length];
    if (chosen && tryProgram(mutate(chosen, random), random)) compiled++;
    progress(at);
  }
  console.log(`${programs} mutated programs, ${compiled} of them still programs: an answer for each`);
  progress = reporter('frames', frames);
  fuzzBottleneck(frames, random, progress);
  console.log(`${frames} frames: none stopped the switch, none left with a wrong length`);
}

/** Prints how far the work is and how long the rest will take. */
function reporter(what: string, all: number): (done: number) => void {
  const began = Date.now();
  let said = began;
  return (done) => {
    const now = Date.now();
    if (now - said < PROGRESS) return;
    said = now;
    const left = Math.round((((now - began) / done) * (all - done)) / 1000);
    console.error(`${what}: ${done} of ${all}, about ${left} s left`);
  };
}

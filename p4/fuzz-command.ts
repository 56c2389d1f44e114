import { join } from 'node:path';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { wholeNumber } from '../system/command-line/parsers.ts';
import { seededRandom, type Random } from '../system/random/seeded-random.ts';
import type { SourceFile } from './compiler/source.ts';
import { fuzzBottleneck, mutate, readSeeds, tryProgram } from './fuzz.ts';

const MAX_COUNT = 1_000_000_000;
const DEFAULTS = { programs: 20_000, frames: 1_000_000, seed: 1 };

const commandLine = defineCommandLine({
  command: 'npm run p4 -- fuzz',
  about: 'Mutated programs and frames: none may stop the compiler or the switch.',
  options: {
    programs: { valueName: 'N', about: `(${DEFAULTS.programs})`, parse: wholeNumber(0, MAX_COUNT) },
    frames: { valueName: 'N', about: `(${DEFAULTS.frames})`, parse: wholeNumber(0, MAX_COUNT) },
    seed: {
      valueName: 'N',
      about: `of the random numbers (${DEFAULTS.seed})`,
      parse: wholeNumber(0, MAX_COUNT),
    },
  },
});
export const { help } = commandLine;

export function main(args: readonly string[]): void {
  const { values } = commandLine.parse(args);
  const { programs = DEFAULTS.programs, frames = DEFAULTS.frames, seed = DEFAULTS.seed } = values;
  fuzz(programs, frames, seed);
}

/** Milliseconds between two progress lines. */
const PROGRESS_INTERVAL_MS = 2000;

function fuzz(programs: number, frames: number, seed: number): void {
  const random = seededRandom(seed);
  const seeds = ['tests', 'programs'].flatMap((folder) => readSeeds(join(import.meta.dirname, folder)));
  let progress = reporter('programs', programs);
  let compiled = 0;
  for (let at = 1; at <= programs; at++) {
    const chosen = seeds[at % seeds.length];
    if (chosen && compiles(mutate(chosen, random), random)) compiled++;
    progress(at);
  }
  console.log(`${programs} mutated programs: ${compiled} compiled, the others were rejected with errors`);
  progress = reporter('frames', frames);
  fuzzBottleneck(frames, random, progress);
  console.log(`${frames} frames: none stopped the switch, none changed its length`);
}

/**
 * Tries a program. If the program crashes the compiler or the switch, prints the program's text, because only the text
 * shows the cause.
 */
function compiles(program: SourceFile, random: Random): boolean {
  try {
    return tryProgram(program, random);
  } catch (error) {
    console.error(`A mutant of ${program.path}:\n${program.text}`);
    throw error;
  }
}

/** Prints the progress and the estimated remaining time. */
function reporter(what: string, all: number): (done: number) => void {
  const began = Date.now();
  let lastReport = began;
  return (done) => {
    const now = Date.now();
    if (now - lastReport < PROGRESS_INTERVAL_MS) return;
    lastReport = now;
    const left = Math.round((((now - began) / done) * (all - done)) / 1000);
    console.error(`${what}: ${done} of ${all}, about ${left} s left`);
  };
}

import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { parseOptions } from '../system/command-line/parse-options.ts';
import { suggestionFor } from '../system/command-line/suggestion.ts';
import { compileFile } from './compiler/compile.ts';
import type { Compiled } from './compiler/compile.ts';
import { fuzzBottleneck, mutate, readSeeds, tryProgram } from './fuzz.ts';
import { UnsupportedCommand, runStf } from './stf.ts';
import { readConfig } from './switch/config.ts';
import { seededRandom } from '../system/random/seeded-random.ts';
import { serveControl } from './switch/live/control-server.ts';

export const help = `
npm run p4 -- check FILE.p4              check a P4_16 program for v1model
npm run p4 -- stf FILE.p4 FILE.stf       run a test of the P4 compilers' simple test format
                                         exit status: 0 passed, 1 failed, 2 something is not supported
npm run p4 -- javascript FILE.p4         print the JavaScript that a program becomes
npm run p4 -- switch CONFIG.json         run a switch between TAP interfaces until it is interrupted (root)
npm run p4 -- collect --port N --out FILE
                                         write the switch's postcards to FILE as CSV, compressed if it ends in .gz,
                                         until it is interrupted; docs/reference/time-series.md describes it
npm run p4 -- fuzz [--programs N] [--frames N] [--seed N]
                                         mutated programs and frames: none may stop the compiler or the switch
`;

/** The exit status for a program that is correct but uses what is not supported. */
const UNSUPPORTED = 2;

const MAX_PORT = 65_535;

const OPTIONS = {
  programs: { type: 'string', default: '20000' },
  frames: { type: 'string', default: '1000000' },
  seed: { type: 'string', default: '1' },
  port: { type: 'string' },
  out: { type: 'string' },
} as const;

const COMMANDS = ['check', 'stf', 'javascript', 'switch', 'collect', 'fuzz'];

export async function main(args: string[]): Promise<void> {
  const { positionals, values } = parseOptions({ args, allowPositionals: true, options: OPTIONS });
  const [verb, ...files] = positionals;
  switch (verb) {
    case undefined: {
      console.log(help.trim());
      return;
    }
    case 'check': {
      check(files);
      return;
    }
    case 'stf': {
      stf(files);
      return;
    }
    case 'javascript': {
      const compiled = compileOrReport(file(files[0], 'FILE.p4'));
      if (compiled) process.stdout.write(compiled.javascript);
      return;
    }
    case 'switch':
      return runSwitch(file(files[0], 'CONFIG.json'));
    case 'collect':
      return runCollector(values.port, values.out);
    case 'fuzz': {
      fuzz(whole('programs', values.programs), whole('frames', values.frames), whole('seed', values.seed));
      return;
    }
    default:
      throw new Error(
        `unknown command '${verb}'${suggestionFor(verb, COMMANDS)}; npm run p4 -- --help lists them`,
      );
  }
}

function whole(name: string, text: string): number {
  if (!/^[0-9]+$/.test(text)) throw new Error(`--${name} is '${text}', but must be a whole number`);
  return Number(text);
}

function file(path: string | undefined, what: string): string {
  if (!path) throw new Error(`${what} is missing; see npm run p4 -- --help`);
  if (!existsSync(path)) throw new Error(`there is no file '${path}'`);
  return path;
}

/** Compiles, prints what is wrong, and sets the exit status: 2 if the program only uses what is not supported. */
function compileOrReport(path: string): Compiled | undefined {
  const compiled = compileFile(path);
  const { diagnostics } = compiled;
  if (diagnostics.list.length) console.error(diagnostics.render());
  if (!diagnostics.failed) return compiled;
  process.exitCode = diagnostics.errors.length ? 1 : UNSUPPORTED;
  return undefined;
}

function check(files: string[]): void {
  const path = file(files[0], 'FILE.p4');
  const compiled = compileOrReport(path);
  if (!compiled) return;
  const { tables, units } = compiled.program;
  console.log(`${path}: ok, ${units.length} parsers and controls, ${tables.length} tables`);
}

function stf(files: string[]): void {
  const program = file(files[0], 'FILE.p4');
  const test = file(files[1], 'FILE.stf');
  const compiled = compileOrReport(program);
  if (!compiled) return;
  try {
    const { passed, difference, warnings } = runStf(compiled, readFileSync(test, 'utf8'));
    for (const warning of warnings) console.error(`${test}: ${warning}`);
    console.log(passed ? 'PASS' : `FAIL ${difference ?? ''}`);
    if (!passed) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof UnsupportedCommand)) throw error;
    console.log(`not supported: ${error.message}`);
    process.exitCode = UNSUPPORTED;
  }
}

async function runSwitch(path: string): Promise<void> {
  const { LiveSwitch } = await import('./switch/live/live.ts');
  const config = readConfig(path);
  const { controlPort, ports } = config;
  const device = await LiveSwitch.start(config);
  let server: Server | undefined;
  try {
    if (controlPort !== undefined) server = await serveControl(device, controlPort);
    console.log(`forwarding between ${ports.size} ports; interrupt to stop`);
    if (controlPort !== undefined) console.log(`counts at http://127.0.0.1:${controlPort}/`);
    const signal = interruption();
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), device.died]);
    console.log(JSON.stringify(await device.stop(), undefined, 2));
  } finally {
    server?.close();
    server?.closeAllConnections();
    // A second call, for a switch that did not come that far; why it died has been printed.
    await device.stop().catch(() => undefined);
  }
}

async function runCollector(port: string | undefined, out: string | undefined): Promise<void> {
  if (port === undefined || whole('port', port) < 1 || Number(port) > MAX_PORT)
    throw new Error(`--port is '${port ?? ''}', but must be a UDP port from 1 to ${MAX_PORT}`);
  if (!out) throw new Error('--out is missing: the file for the postcards, such as postcards.csv.gz');
  const { collect, summary } = await import('./collector/collect.ts');
  const stats = await collect(Number(port), out, interruption());
  console.log(`${out}: ${summary(stats)}`);
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => controller.abort());
  return controller.signal;
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

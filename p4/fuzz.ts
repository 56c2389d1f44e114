/* Mutates programs and frames to find inputs that crash the compiler or stop the switch. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compile, compileFile } from './compiler/compile.ts';
import { lex } from './compiler/lexer.ts';
import { Diagnostics } from './compiler/diagnostics.ts';
import { SourceFile } from './compiler/source.ts';
import { ControlPlane } from './switch/control-plane.ts';
import type { Random } from '../system/random/seeded-random.ts';
import { V1Switch } from './switch/v1model.ts';

const pick = <T>(list: readonly T[], random: Random): T | undefined =>
  list[Math.floor(random() * list.length)];

export interface Seed {
  readonly file: SourceFile;
  /** The program's text, cut into tokens and the text between tokens. */
  readonly pieces: readonly string[];
}

/** Reads the P4 programs of a folder and cuts them into tokens. */
export function readSeeds(folder: string): Seed[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.p4'))
    .map((name) => {
      const path = join(folder, name);
      const file = new SourceFile(path, readFileSync(path, 'utf8'));
      const pieces: string[] = [];
      let at = 0;
      for (const { span } of lex(file, new Diagnostics())) {
        pieces.push(file.text.slice(at, span.start), file.text.slice(span.start, span.end));
        at = span.end;
      }
      return { file, pieces: [...pieces, file.text.slice(at)] };
    });
}

const UNUSUAL_TOKENS = [
  '0',
  '32w0xffffffff',
  '8s1',
  '1 << 70',
  '-1',
  '{',
  '}',
  '(',
  ')',
  '<',
  '>',
  '>>',
  '&&&',
  '..',
  '_',
  'default',
  'hdr',
  'bit<8>',
  'bit<0>',
  'int<1>',
  'varbit<8>',
  'tuple<>',
  'true',
  'exit',
  'return',
  'apply',
  'next',
  'last',
  '...',
  '{#}',
  '"text"',
  '#',
  '@x(',
  '/*',
  '\u0000',
  'ü',
];

/** Deletes, doubles, swaps or replaces one to four tokens. */
export function mutate({ file, pieces }: Seed, random: Random): SourceFile {
  const changed = [...pieces];
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const at = Math.floor(random() * changed.length);
    const other = Math.floor(random() * changed.length);
    const [one = '', two = ''] = [changed[at], changed[other]];
    switch (Math.floor(random() * 5)) {
      case 0:
        changed[at] = '';
        break;
      case 1:
        changed[at] = `${one} ${one}`;
        break;
      case 2:
        [changed[at], changed[other]] = [two, one];
        break;
      case 3:
        changed[at] = two;
        break;
      default:
        changed[at] = pick(UNUSUAL_TOKENS, random) ?? '';
    }
  }
  return new SourceFile(file.path, changed.join(''));
}

/** Returns random bytes, or a valid frame that may be truncated and have up to four bytes changed. */
function randomFrame(good: readonly Uint8Array[], random: Random): Uint8Array {
  const base = pick(good, random);
  if (!base || random() < 0.2)
    return Uint8Array.from({ length: Math.floor(random() * 200) }, () => random() * 256);
  const frame = base.slice(0, random() < 0.3 ? Math.floor(random() * base.length) : base.length);
  for (let left = Math.floor(random() * 5); left > 0 && frame.length; left--)
    frame[Math.floor(random() * frame.length)] = random() * 256;
  return frame;
}

/** Compiles a mutated program and returns whether that succeeded. If so, sends a few frames through the program. */
export function tryProgram(file: SourceFile, random: Random): boolean {
  const compiled = compile(file);
  if (compiled.diagnostics.failed) return false;
  const device = new V1Switch(compiled, { random, transmit: () => undefined });
  for (let at = 0; at < 3; at++) {
    device.receive(at, randomFrame([new Uint8Array(40).fill(at)], random), at);
    device.advance(at);
  }
  return true;
}

/**
 * Sends random and mutated frames through the bottleneck from port 1 to port 2. Throws if the switch stops, if a frame
 * changes its length, or if a frame is unaccounted.
 */
export function fuzzBottleneck(
  frames: number,
  random: Random,
  progress: (done: number) => void = () => undefined,
): void {
  const folder = join(import.meta.dirname, 'programs');
  const good = readFileSync(join(folder, 'bottleneck.stf'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('packet'))
    .map((line) => Uint8Array.from(Buffer.from(line.split(/\s+/).slice(2).join(''), 'hex')));
  let length = 0;
  const transmit = (port: number, bytes: Uint8Array): void => {
    if (port === 2 && bytes.length !== length)
      throw new Error(`a frame of ${length} bytes left with ${bytes.length}`);
  };
  const device = new V1Switch(compileFile(join(folder, 'bottleneck.p4')), { random, transmit });
  const plane = new ControlPlane(device.compiled.program, device.runtime);
  plane.add('unknown', [{ name: 'ingress_port', value: '1' }], 'forward', [{ name: 'port', value: '2' }], 0);
  for (let at = 1; at <= frames; at++) {
    const frame = randomFrame(good, random);
    ({ length } = frame);
    device.receive(1, frame, at * 1000);
    device.advance(at * 1000);
    progress(at);
  }
  const { received, transmitted, droppedInIngress, failed } = device.counts;
  if (received !== frames || transmitted + droppedInIngress !== frames || failed)
    throw new Error(
      `${frames} frames received, ${transmitted} sent, ${droppedInIngress} were dropped, ${failed} stopped the switch`,
    );
  if (frames >= good.length * 10 && !transmitted) throw new Error('no frame was forwarded');
}

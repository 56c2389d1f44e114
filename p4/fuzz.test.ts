import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileFile } from './compiler/compile.ts';
import { fuzzSwitch, mutate, randomFrame, readSeeds, seededRandom, tryProgram } from './fuzz.ts';
import { ControlPlane } from './switch/control-plane.ts';

const PROGRAMS = 400;
const FRAMES = 20_000;

test(`${PROGRAMS} mutated programs: an answer for each`, () => {
  const random = seededRandom(5);
  const seeds = [join(import.meta.dirname, 'tests'), join(import.meta.dirname, 'programs')].flatMap(
    readSeeds,
  );
  let compiled = 0;
  for (let at = 0; at < PROGRAMS; at++) {
    const seed = seeds[at % seeds.length];
    if (seed && tryProgram(mutate(seed, random), random)) compiled++;
  }
  // Were none of them still a program, or all, the mutations would test little.
  expect(compiled).toBeGreaterThan(0);
  expect(compiled).toBeLessThan(PROGRAMS);
});

test(`${FRAMES} random and mutated frames: none stops the bottleneck, none changes its length`, () => {
  const folder = join(import.meta.dirname, 'programs');
  const good = readFileSync(join(folder, 'bottleneck.stf'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('packet'))
    .map((line) => Uint8Array.from(Buffer.from(line.split(/\s+/).slice(2).join(''), 'hex')));
  let length = 0;
  const wrong: number[] = [];
  const random = seededRandom(6);
  const device = fuzzSwitch(compileFile(join(folder, 'bottleneck.p4')), random, (port, bytes) => {
    if (port === 2 && bytes.length !== length) wrong.push(bytes.length);
  });
  const plane = new ControlPlane(device.compiled.program, device.runtime);
  plane.add('unknown', [{ name: 'ingress_port', value: '1' }], 'forward', [{ name: 'port', value: '2' }], 0);
  for (let at = 0; at < FRAMES; at++) {
    const frame = randomFrame(good, random);
    ({ length } = frame);
    device.receive(1, frame, at * 1000);
    device.advance(at * 1000);
  }
  const { received, transmitted, droppedInIngress, failed } = device.counts;
  expect(wrong).toEqual([]);
  expect(received).toBe(FRAMES);
  expect(transmitted + droppedInIngress).toBe(FRAMES);
  expect(transmitted).toBeGreaterThan(0);
  expect(failed).toBe(0);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { release, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { BURST_SETTING, burstProblem } from './burst-problem.ts';

const settings = mkdtempSync(join(tmpdir(), 'burst-'));
afterAll(() => rmSync(settings, { recursive: true }));

it('without the setting, a kernel sends only single packets, and the message names its version', () => {
  expect(burstProblem(7, settings)).toBe(
    `bursts of 7 packets need Linux 5.18 or later, and this is ${release()}`,
  );
  expect(burstProblem(1, settings)).toBeUndefined();
  mkdirSync(join(settings, dirname(BURST_SETTING)), { recursive: true });
  writeFileSync(join(settings, BURST_SETTING), '9\n');
  expect(burstProblem(7, settings)).toBeUndefined();
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchExperiments } from './experiments-file.ts';

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'edge-experiments-')), 'experiments.json');
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(join(file, '..'), { recursive: true });
});

const named = (name: string) =>
  JSON.stringify({
    version: 1,
    experiments: [{ name, design: 'ab', from: '2026-11-22T00:00Z', allocation: 0.5, treatment: {} }],
  });

it('rereads the file after a change, and has no experiments while the file is invalid or missing', () => {
  const problems: string[] = [];
  writeFileSync(file, named('one'));
  const list = watchExperiments(file, (line) => problems.push(line));
  const names = () => list().map(({ name }) => name);
  const later = () => {
    vi.advanceTimersByTime(10_000);
    return names();
  };
  expect(names()).toEqual(['one']);
  writeFileSync(file, named('another'));
  expect(later()).toEqual(['another']);
  expect(problems).toEqual([]);

  writeFileSync(file, named('broken').replace('0.5', '50'));
  expect(later()).toEqual([]);
  // The problem is reported once, not at each check.
  expect([later(), problems]).toEqual([
    [],
    [
      `${file}: experiments: experiments[0].allocation is 50, expected a fraction from 0 to 1; no experiment runs`,
    ],
  ]);
  rmSync(file);
  expect([later(), later()]).toEqual([[], []]);
  expect(problems.slice(1)).toEqual([expect.stringContaining('the experiments cannot be read: ENOENT')]);
  writeFileSync(file, named('again'));
  expect(later()).toEqual(['again']);
});

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../testing/step.ts';
import { latestRuns, notPassed, notPassedSince, oldestFirst } from './choose-parts.ts';
import type { Part } from './part.ts';
import { PARTS } from './parts.ts';
import { PAGE, readRuns, type PartRun } from './runs.ts';
import { formatTable, replaceTable } from './table.ts';

const longFiles = execFileSync('git', ['ls-files', '-z', '*.long.test.ts', 'e2e/long/*.spec.ts'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\0')
  .filter(Boolean);

it('runs each long test in exactly one part', () => {
  const findParts = (file: string) =>
    PARTS.filter(({ files = [] }) => files.some((each) => file.includes(each))).map(({ name }) => name);
  expect(longFiles.length).toBeGreaterThan(50);
  expect(
    longFiles.map((file) => ({ file, parts: findParts(file) })).filter(({ parts }) => parts.length !== 1),
  ).toEqual([]);
});

it('has unique parts, each with a file', () => {
  const names = PARTS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const unused = PARTS.flatMap(({ files = [] }) => files).filter(
    (each) => !longFiles.some((file) => file.includes(each)),
  );
  expect(unused).toEqual([]);
});

it('has the latest runs of the report on the page', () => {
  const page = readFileSync(join(root, PAGE), 'utf8');
  expect(replaceTable(page, formatTable(PARTS, latestRuns(readRuns())))).toBe(page);
});

const part = (name: string): Part => ({ name, about: '', deadline_min: 1, stages: () => [] });
const [a, b, c] = ['a', 'b', 'c'].map(part) as [Part, Part, Part];
const run = (name: string, day: number, rest: Partial<PartRun> = {}): PartRun => ({
  part: name,
  at: `2026-11-${String(day).padStart(2, '0')}T12:00:00.000Z`,
  commit: '0123456789',
  machine: 'one',
  load: 0.5,
  passed: 12,
  failed: 0,
  skipped: 3,
  seconds: 61,
  ...rest,
});

describe('which parts run', () => {
  it('parts that have never run first, then those with the oldest runs', () => {
    const latest = latestRuns([run('a', 3), run('c', 1), run('c', 2)]);
    expect(oldestFirst([a, b, c], latest)).toEqual([b, c, a]);
  });

  it('leaves out parts that passed within the given days, but not failed ones', () => {
    const now_ms = Date.parse('2026-11-10T12:00:00Z');
    const latest = latestRuns([run('a', 7), run('b', 9, { failed: 1 }), run('c', 2)]);
    expect(notPassedSince([a, b, c], latest, 7, now_ms)).toEqual([c, b]);
    expect(notPassedSince([a, b, c], latest, 2, now_ms)).toEqual([c, a, b]);
    expect(notPassedSince([a, b, c], latest, 8, now_ms)).toEqual([b]);
  });

  it('leaves out parts that passed with the current files; skipped parts did not pass', () => {
    const latest = latestRuns([run('a', 1), run('b', 1, { passed: 0 }), run('c', 1, { commit: 'other' })]);
    expect(notPassed([a, b, c], latest, ({ commit }) => commit === '0123456789')).toEqual([b, c]);
  });
});

it('formats the latest run of each part', () => {
  const runs = [
    run('a', 1, { failed: 2 }),
    run('a', 2),
    run('b', 3, { passed: 0, failed: 1, hung: true, hasChanges: true, seconds: 60 }),
  ];
  expect(formatTable([a, b, c], latestRuns(runs))).toBe(
    [
      '| part | day        | commit      | passed/failed/skipped | s   | load |',
      '| ---- | ---------- | ----------- | --------------------- | --- | ---- |',
      '| a    | 2026-11-02 | 0123456789  | 12/0/3                | 61  | 0.5  |',
      '| b    | 2026-11-03 | 0123456789+ | hung                  | 60  | 0.5  |',
      '| c    |            |             | not run               |     |      |',
    ].join('\n'),
  );
});

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Exhibit } from '../../../emulation/studies/paper/claims/exhibit.ts';
import { readEvidence } from '../../../emulation/studies/paper/claims/evidence.ts';
import { judgeExhibit } from '../../../emulation/studies/paper/claims/verdict.ts';
import {
  COMMITTED_EVIDENCE,
  COMMITTED_VERDICTS,
} from '../../../emulation/studies/paper/committed-evidence.ts';
import { computeVerdicts } from '../../../emulation/studies/paper/write-evidence.ts';
import { findExhibit, STORY } from './find.ts';
import { papers } from './papers.ts';

const ROOT = new URL('../../../', import.meta.url);
const git = (args: string[], input = '') => spawnSync('git', args, { cwd: ROOT, input, encoding: 'utf8' });

/** The names of all figures and tables of each paper, counted in the papers' texts. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  sammy: [...names('Figure', 8), ...names('Table', 3)],
  unbiased: names('Figure', 13),
  buffers: [...names('Figure', 11), 'Table 1'],
  fugu: [
    ...['Table 1.1', ...names('Figure', 15, '2.'), ...names('Table', 2, '2.')],
    ...[...names('Figure', 5, '3.'), ...names('Table', 3, '3.')],
    ...['Figure A.1', 'Figure C.1', 'Figure D.1', 'Table D.1'],
  ],
  // Only chapter 5, because the other chapters are revised versions of three of the other papers.
  neighbor: [...names('Figure', 8, '5.'), 'Table 5.1'],
};

function names(kind: string, count: number, prefix = ''): string[] {
  return Array.from({ length: count }, (_, at) => `${kind} ${prefix}${at + 1}`);
}

const all: readonly (readonly [string, Exhibit])[] = papers.flatMap(({ key, exhibits }) =>
  exhibits.map((each) => [`${key}, ${each.name}`, each] as const),
);

describe('the gallery', () => {
  it('has every figure and table of each paper, once', () => {
    expect(papers.map(({ key }) => key).sort()).toEqual(Object.keys(EXPECTED).sort());
    for (const { key, exhibits } of papers)
      expect(exhibits.map(({ name }) => name).sort(), key).toEqual([...(EXPECTED[key] ?? [])].sort());
  });

  it.each(all)('%s: has our numbers and their origin if it has a verdict on them', (_, exhibit) => {
    const { origin, rows, shows, note } = exhibit;
    expect(shows).toMatch(/^[A-Z].*\.$/);
    expect(note).toMatch(/\.$/);
    const measured = rows.some(({ ours }) => ours !== null);
    expect(origin !== null).toBe(measured);
    for (const value of rows.flatMap(({ paper, ours }) => [paper, ours]))
      if (typeof value === 'object' && value !== null) {
        expect(value[1]).toBeLessThanOrEqual(value[0]);
        expect(value[2]).toBeGreaterThanOrEqual(value[0]);
      }
  });

  const origins = all.flatMap(([name, { origin }]) => (origin ? [{ name, ...origin }] : []));

  it('names existing commands, and pages of the log that contain the commit', () => {
    const { scripts } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as {
      scripts: Record<string, string>;
    };
    for (const { name, command, commit, ...origin } of origins) {
      expect(Object.keys(scripts), name).toContain(/^(?:sudo )?npm run ([\w:]+)/.exec(command)?.[1]);
      expect(commit, name).toMatch(/^[0-9a-f]{7,40}$/);
      if (!('page' in origin)) continue;
      const { page } = origin;
      const file = new URL(`docs${page}.md`, ROOT);
      expect(existsSync(file), `${name}: ${page}`).toBe(true);
      expect(readFileSync(file, 'utf8'), `${name}: ${page}`).toContain(commit.slice(0, 7));
    }
  });

  const logged = all.flatMap(([name, exhibit]) =>
    exhibit.origin && 'page' in exhibit.origin ? [[name, exhibit, exhibit.origin.page] as const] : [],
  );

  it.each(logged)('%s: its numbers are in the log', (_, { rows }, path) => {
    const page = readFileSync(new URL(`docs${path}.md`, ROOT), 'utf8').replaceAll(',', '');
    const isThere = (number: number): boolean =>
      [0, 1, 2, 3]
        .map((digits) => Math.abs(number).toFixed(digits))
        .filter((printed) => Number(printed) === Math.abs(number))
        .some((printed) => new RegExp(`(?<![\\d.])${printed.replace('.', '\\.')}(?!\\d)`).test(page));
    const numbers = rows.flatMap(({ ours, isDifference = false }) =>
      isDifference || ours === null || typeof ours === 'string' ? [] : ours,
    );
    expect(numbers.filter((number) => !isThere(number))).toEqual([]);
  });

  it('has the verdicts that follow from the committed evidence', () => {
    const verdicts: unknown = JSON.parse(readFileSync(COMMITTED_VERDICTS, 'utf8'));
    expect(computeVerdicts(readEvidence(COMMITTED_EVIDENCE))).toEqual(verdicts);
    const shown = all.flatMap(([name, exhibit]) =>
      exhibit.origin && 'evidence' in exhibit.origin ? [[name, judgeExhibit(exhibit)]] : [],
    );
    expect(Object.fromEntries(shown)).toEqual(verdicts);
  });

  const whole = git(['rev-parse', '--is-shallow-repository']).stdout.trim() === 'false';

  it.skipIf(!whole)('names commits of this repository', () => {
    const commits = [...new Set(origins.map(({ commit }) => commit))];
    const { stdout } = git(['cat-file', '--batch-check'], `${commits.join('\n')}\n`);
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => !/^[0-9a-f]{40} commit /.test(line)),
    ).toEqual([]);
  });

  it('has five measured exhibits on the overview page', () => {
    expect(STORY).toHaveLength(5);
    for (const [key, name] of STORY) expect(findExhibit(papers, key, name).origin).not.toBeNull();
  });
});

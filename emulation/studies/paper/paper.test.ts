import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { format, type FormatConfig } from 'oxfmt';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { experimentNamed, experiments } from '../experiments/index.ts';
import { fixtureExperiment, writeFixture } from '../report/testing/fixture.ts';
import { estimate, totalOf } from './estimate.ts';
import { fillLog, SAMMY_LOG } from './fill-log.ts';
import { fillMarkers } from './markers.ts';
import { askedOf, chapters } from './paper.ts';
import { runPaper } from './run-paper.ts';
import { isPaper, writePaper } from './write-paper.ts';

describe('the paper', () => {
  // These make figures of other papers and have quick forms of their own: they are run by themselves.
  const ofOtherPapers = ['buffer-paper', 'ab-lab'];

  it('has every experiment once, but for those of other papers', () => {
    const ofThisPaper = experiments.map(({ name }) => name).filter((name) => !ofOtherPapers.includes(name));
    expect(chapters.map(({ name }) => name).sort()).toEqual(ofThisPaper.sort());
  });

  it('takes 40 minutes at most in its quick form, by its plan', async () => {
    expect(totalOf(await estimate(true))).toBeLessThan(40 * 60);
  });

  it.each(chapters)('has at least three runs a cell of $name in its whole form', async (chapter) => {
    const { settings } = await experimentNamed(chapter.name).plan(askedOf(chapter, false));
    expect(settings.runs).toBeGreaterThanOrEqual(3);
  });

  it('has a place for every table in the log', () => {
    const filled = fillMarkers(
      SAMMY_LOG.pages.map((page) => readFileSync(page, 'utf8')).join('\n'),
      Object.fromEntries(chapters.map(({ name }) => [name, `filled ${name}`])),
    );
    for (const { name } of chapters)
      expect(filled).toContain(`\n\nfilled ${name}\n\n<!-- /table:${name} -->`);
  });

  it('puts tables between their markers, and leaves what has none', () => {
    const text = 'a\n<!-- table:x -->\nold\n<!-- /table:x -->\nb';
    const filled = fillMarkers(text, { x: 'new', y: 'none' });
    expect(filled).toBe('a\n<!-- table:x -->\n\nnew\n\n<!-- /table:x -->\nb');
    expect(fillMarkers(filled, { x: 'new' })).toBe(filled);
    expect(() => fillMarkers('<!-- table:x --> old', { x: '' })).toThrow(/has no <!-- \/table:x -->/);
  });
});

describe('runPaper', () => {
  let outDir: string;
  beforeEach(() => {
    outDir = mkdtempSync(join(tmpdir(), 'paper-'));
  });
  afterEach(() => rmSync(outDir, { recursive: true }));

  const paper = { quick: true, resume: true, seed: undefined, command: 'lab run paper' };

  it('refuses the folder of one experiment, and leaves its manifest', async () => {
    writeFixture(outDir, { ...fixtureExperiment, runs: 1, seconds: 5 });
    const before = readFileSync(join(outDir, 'manifest.json'), 'utf8');
    await expect(runPaper({ ...paper, outDir })).rejects.toThrow(/has results of one experiment/);
    expect(readFileSync(join(outDir, 'manifest.json'), 'utf8')).toBe(before);
  });

  it('goes on with the form that it began with only', async () => {
    // Of the quick form, two runs of 30 s.
    writeFixture(join(outDir, 'single'), { ...fixtureExperiment, runs: 2, seconds: 30 });
    await expect(runPaper({ ...paper, outDir, quick: false })).rejects.toThrow(
      /single has 2 runs of 30 s a cell, and this form 10 of 60 s; add or leave out --quick/,
    );
  });

  it('names a manifest that is broken', () => {
    writeFileSync(join(outDir, 'manifest.json'), '{"paper": ');
    expect(() => isPaper(outDir)).toThrow(`${join(outDir, 'manifest.json')}: `);
  });
});

describe('writePaper', () => {
  let outDir: string;
  beforeEach(() => {
    outDir = mkdtempSync(join(tmpdir(), 'paper-'));
  });
  afterEach(() => rmSync(outDir, { recursive: true }));

  it('makes tables and pictures from what there is', async () => {
    writeFixture(join(outDir, 'single'), { ...fixtureExperiment, runs: 3, seconds: 20 });
    const planned = await experimentNamed('history').plan({});
    const { conditions } = planned.settings as typeof fixtureExperiment;
    const viewers = { ...fixtureExperiment, name: 'history', arms: ['sammy'], runs: 3, seconds: 20 };
    writeFixture(join(outDir, 'history'), { ...viewers, ...(conditions && { conditions }) });
    const exhibits = writePaper(outDir);
    const [single = '', history = ''] = exhibits.map(({ table }) => table);
    expect(exhibits.map(({ name }) => name)).toEqual(['single', 'history']);
    expect(single).toMatch(/^\| +\| `dashjs` \| `sammy` \|/);
    // The fixture's control is sent as fast as the link allows, its treatment at three times the top bitrate.
    expect(single).toMatch(
      /\| chunk throughput \(kbit\/s\) \| [\d,]+ \(.* to .*\) \| [\d,]+ \(.*\): −\d+\.\d% \(/,
    );
    expect(single).toContain('commit 0123456789abcdef');
    // With history is a control at each rate, without it is compared with the same rate's.
    expect(history).toMatch(/\| 8mbps-with-history \| `sammy` \| 3 \| [^:]+ \|/);
    expect(history).toMatch(/\| 8mbps-without-history \| `sammy` \| 3 \| [^|]+: /);
    expect(readdirSync(join(outDir, 'tables')).sort()).toEqual(['history.md', 'single.md']);
    const figures = readdirSync(join(outDir, 'figures'));
    expect(figures.length).toBeGreaterThan(2);
    for (const name of figures) {
      const svg = readFileSync(join(outDir, 'figures', name), 'utf8');
      expect(svg).toMatch(/^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      expect(svg).toContain('--arm-0:');
      expect(svg).not.toMatch(/NaN|undefined/);
    }
    const manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8')) as { commits: string[] };
    expect(isPaper(outDir)).toBe(true);
    expect(isPaper(join(outDir, 'single'))).toBe(false);
    expect(manifest.commits).toEqual(['0123456789abcdef0123456789abcdef01234567']);
  });
});

describe('fillLog', () => {
  let root: string;
  const page = () => join(root, 'docs', 'log.md');
  const figures = () => join(root, 'paper', 'figures');
  const log = () => ({ pages: [page()], figures: figures() });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'readme-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('shows tables and pictures as prettier has them, with what made them and no place of this machine', async () => {
    const outDir = join(root, 'secret');
    writeFixture(
      join(outDir, 'single'),
      { ...fixtureExperiment, runs: 3, seconds: 20 },
      { manifest: { command: `npm run lab -- run paper --quick --out ${outDir} --seed 4` } },
    );
    mkdirSync(join(root, 'docs'));
    writeFileSync(page(), '# Lab\n\n<!-- table:single -->\n<!-- /table:single -->\n\nThe end.\n');
    mkdirSync(figures(), { recursive: true });
    writeFileSync(join(figures(), 'single-9-9.svg'), 'of an older run');
    await fillLog(log(), writePaper(outDir), outDir);

    const text = readFileSync(page(), 'utf8');
    expect(text).toContain('`npm run lab -- run paper --quick --seed 4`, commit 0123456789abcdef');
    expect(text).toContain('intervals of 3 runs hold the true median in 75% of cases at most');
    expect(text).toContain('The end.');
    const shown = [...text.matchAll(/!\[[^\]]+\]\(\.\.\/paper\/figures\/([\w-]+\.svg)\)/g)].map(
      ([, name]) => name,
    );
    expect(shown.length).toBeGreaterThan(0);
    expect(readdirSync(figures()).sort()).toEqual(['manifest.json', ...shown].sort());
    const manifest = readFileSync(join(figures(), 'manifest.json'), 'utf8');
    expect(manifest).toContain('"command": "npm run lab -- run paper --quick --seed 4"');
    const style = JSON.parse(
      readFileSync(new URL('../../../.oxfmtrc.json', import.meta.url), 'utf8'),
    ) as FormatConfig;
    for (const [file, content] of [
      [page(), text],
      [join(figures(), 'manifest.json'), manifest],
    ] as const) {
      expect(content).not.toContain(root);
      expect((await format(file, content, style)).code).toBe(content);
    }
    await fillLog(log(), writePaper(outDir), outDir);
    expect(readFileSync(page(), 'utf8')).toBe(text);
  });
});

describe('the log', () => {
  it('shows the pictures that are there, and no others are', () => {
    const text = SAMMY_LOG.pages.map((page) => readFileSync(page, 'utf8')).join('\n');
    const shown = [...text.matchAll(/\/paper\/figures\/([\w-]+\.svg)\)/g)].map(([, name]) => name);
    expect(readdirSync(SAMMY_LOG.figures).sort()).toEqual([...new Set(['manifest.json', ...shown])].sort());
    const { commits } = JSON.parse(readFileSync(join(SAMMY_LOG.figures, 'manifest.json'), 'utf8')) as {
      commits: string[];
    };
    for (const commit of commits) expect(text).toContain(`commit ${commit}`);
  });
});

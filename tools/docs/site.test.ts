import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sidebar } from '../../docs/.vitepress/sidebar.ts';
import { algorithmExports } from '../../src/testing/every-algorithm.ts';
import { commandsPage } from './commands-page.ts';
import { metricsPage } from './metrics-page.ts';
import { API, COMMANDS_PAGE, DOCS, METRICS_PAGE, ROOT } from './pages.ts';
import { type Page, pageReader, readPage, writtenPages } from './read-pages.ts';

const MOST_WORDS = 1500;
/** Matches a path from the root in code, such as `edge/policy.ts`. */
const FILE_NAMED = /`((?:src|edge|emulation|analysis|p4|media|system|demo|bench|e2e|tools)\/[\w./-]+)`/g;
const ROOMS = [
  'edge',
  'edge/nginx',
  'analysis',
  'models',
  'emulation',
  'emulation/harness/cluster',
  'buffers',
  'p4',
];

let read: (file: string, text: string) => Page;
let pages: Map<string, Page>;
beforeAll(async () => {
  read = await pageReader();
  pages = new Map(writtenPages().map((file) => [file, read(file, readPage(file))]));
  pages.set(METRICS_PAGE, read(METRICS_PAGE, metricsPage()));
  pages.set(COMMANDS_PAGE, read(COMMANDS_PAGE, await commandsPage(() => Promise.resolve(''))));
});

/** Returns the file of a link to a page: `lab/index.md` for `/lab/`. */
const pageFile = (link: string): string => `${link.replace(/^\//, '').replace(/(^|\/)$/, '$1index')}.md`;

/** Returns the problem with a page's link, or null. */
function findMissing({ file, anchors }: Page, target: string): string | null {
  if (/^[a-z]+:/.test(target) || target === `/${API}/`) return null;
  const [path = '', anchor] = target.split('#');
  if (path === '') return anchors.has(anchor ?? '') ? null : 'no such heading here';
  if (/\.(svg|png|jpg)$/.test(path))
    return existsSync(join(DOCS, dirname(file), path)) ? null : 'no such picture';
  const link = path.startsWith('/') ? path : posix.join('/', posix.dirname(file), path);
  if (link === `/${API}/`) return null;
  const page = pages.get(pageFile(link));
  if (!page) return 'no such page';
  return anchor === undefined || page.anchors.has(anchor) ? null : 'no such heading there';
}

describe('the site', () => {
  it('has no broken links', () => {
    const broken = [...pages.values()].flatMap((page) =>
      page.targets.flatMap((target) => {
        const missing = findMissing(page, target);
        return missing === null ? [] : [`${page.file}: ${target}: ${missing}`];
      }),
    );
    expect(broken).toEqual([]);
  });

  it('has exactly its pages in the sidebar', () => {
    const listed = sidebar.flatMap(({ items }) => items ?? []).map(({ link = '' }) => pageFile(link));
    expect(listed.filter((file) => file !== pageFile(`/${API}/`)).sort()).toEqual(
      [...pages.keys()].filter((file) => file !== 'index.md').sort(),
    );
  });

  it(`has no page of more than ${MOST_WORDS} words, except the reference`, () => {
    const long = [...pages.values()]
      .filter(({ file, words }) => !file.startsWith('reference/') && words > MOST_WORDS)
      .map(({ file, words }) => `${file}: ${words} words`);
    expect(long).toEqual([]);
  });

  it('names only existing files of the repository', () => {
    const named = [...pages.keys()]
      .filter((file) => file !== COMMANDS_PAGE && file !== METRICS_PAGE && !file.startsWith('results/log/'))
      .flatMap((file) => [...readPage(file).matchAll(FILE_NAMED)].map(([, path = '']) => `${file}: ${path}`));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((each) => !existsSync(join(ROOT, each.split(': ')[1] ?? '')))).toEqual([]);
  });
});

it('the guide shows every algorithm of dashjs-sammy/abr', () => {
  const guide = writtenPages()
    .filter((file) => file.startsWith('guide/algorithms/'))
    .map(readPage)
    .join('\n');
  expect(algorithmExports).toContain('bba');
  expect(algorithmExports.filter((name) => !new RegExp(`\\b${name}\\(`).test(guide))).toEqual([]);
});

it('the guide explains exactly the existing warning codes', () => {
  const [, type = ''] =
    /export type WarningCode =(.*?)\n\n/s.exec(readFileSync(join(ROOT, 'src/host/handle.ts'), 'utf8')) ?? [];
  const codes = [...type.matchAll(/^ *\| '([\w-]+)'/gm)].map(([, code]) => code);
  const warnings = readPage('guide/events.md')
    .split(/^## /m)
    .find((part) => part.startsWith('Warnings'));
  const explained = [...(warnings ?? '').matchAll(/^\| `([\w-]+)` *\| *\S/gm)].map(([, code]) => code);
  expect(codes).toContain('rtp-refused');
  expect(explained.sort()).toEqual(codes.sort());
});

/** Pages that are generated from the sources. In a checkout they exist only after the site was built. */
const GENERATED = [COMMANDS_PAGE, METRICS_PAGE, `${API}/index.md`].map((file) => join(DOCS, file));

it('every relative link of a Markdown file points to a file, so that it works in a checkout', () => {
  const files = execFileSync('git', ['ls-files', '-z', '*.md'], { cwd: ROOT, encoding: 'utf8' }).split('\0');
  const targets = files.filter(Boolean).flatMap((file) => {
    const prose = readFileSync(join(ROOT, file), 'utf8').replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
    return [...prose.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g)].map(([, target = '']) => ({ file, target }));
  });
  expect(targets.length).toBeGreaterThan(300);
  const broken = targets.filter(({ file, target }) => {
    const path = join(ROOT, dirname(file), target);
    return (
      target.startsWith('/') ||
      (!statSync(path, { throwIfNoEntry: false })?.isFile() && !GENERATED.includes(path))
    );
  });
  expect(broken).toEqual([]);
});

it('shows players with absolute URLs, because the CMCD reporter of dash.js 5.2.1 warns about relative ones', () => {
  const texts = ['README.md', 'src/index.ts', ...writtenPages().map((file) => `docs/${file}`)].map((file) =>
    readFileSync(join(ROOT, file), 'utf8'),
  );
  const urls = texts.flatMap((text) =>
    [...text.matchAll(/\.initialize\(.*?, '([^']*)'/g)].map(([, url]) => url),
  );
  expect(urls.length).toBeGreaterThan(2);
  expect(urls.filter((url) => !URL.canParse(url ?? ''))).toEqual([]);
});

describe('the READMEs', () => {
  const readmes = ['README.md', ...ROOMS.map((room) => `${room}/README.md`)];
  const pageText = (file: string) => readFileSync(join(ROOT, file), 'utf8');

  it('are short: at most 1000 words and 120 lines for the root, and 60 lines for packages', () => {
    const [first = '', ...rooms] = readmes;
    expect(read(first, pageText(first)).words).toBeLessThanOrEqual(1000);
    expect(pageText(first).split('\n').length).toBeLessThanOrEqual(120);
    expect(rooms.filter((file) => pageText(file).split('\n').length > 60)).toEqual([]);
  });
});

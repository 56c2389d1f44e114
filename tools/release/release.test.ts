import { INSTALL_PAGES, publishedInstall } from './published-install.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { commands } from '../commands.ts';
import { root } from '../steps.ts';
import { absoluteLinks } from './absolute-links.ts';
import { packedProblems } from './check-packed.ts';
import { filesNamed, publishedManifest, publishedPyproject, type Manifest } from './published-manifest.ts';
import { PLACEHOLDER, readRepository } from './repository.ts';
import { read, toldVersions } from './told-versions.ts';
import { agreedVersion, changelogEntry } from './versions.ts';

const manifest = JSON.parse(read('package.json')) as Manifest;
const ours = readRepository('https://github.com/Jo/sammy');

describe('the variable', () => {
  it('determines every URL', () => {
    const expected = {
      url: 'https://github.com/Jo/sammy',
      homepage: 'https://jo.github.io/sammy/',
      issues: 'https://github.com/Jo/sammy/issues',
    };
    expect(ours).toEqual(expected);
    expect(readRepository('https://github.com/Jo/sammy.git/')).toEqual(expected);
    expect(readRepository('https://git.example/a/b').homepage).toBe('https://git.example/a/b#readme');
  });

  it.each([
    '',
    'sammy',
    'Jo/sammy',
    'http://github.com/Jo/sammy',
    'https://github.com/Jo',
    'https://h/a/b?c',
    'git@h:a/b',
  ])('rejects %j as the address of a repository', (value) =>
    expect(() => readRepository(value)).toThrow(`give an address such as ${PLACEHOLDER}`),
  );
});

describe('what is published', () => {
  it('has URLs, and no fields that only development needs', () => {
    const published = publishedManifest(manifest, ours, 'edge');
    expect(published).toMatchObject({
      name: manifest.name,
      exports: manifest.exports,
      repository: { type: 'git', url: 'git+https://github.com/Jo/sammy.git', directory: 'edge' },
      bugs: { url: 'https://github.com/Jo/sammy/issues' },
      author: expect.stringContaining('contributors') as string,
    });
    for (const key of ['scripts', 'devDependencies', 'workspaces']) expect(published).not.toHaveProperty(key);
    expect(publishedManifest(manifest, ours, '').repository).not.toHaveProperty('directory');
  });

  it('has the same URLs for Python, in a table of their own', () => {
    const toml = publishedPyproject(read('analysis/pyproject.toml'), ours);
    expect(toml).toMatch(
      /\n\n\[project\.urls\]\nHomepage = "https:\/\/jo\.github\.io\/sammy\/"\nRepository = .*\nIssues = .*\n$/,
    );
    expect(() => publishedPyproject(toml, ours)).toThrow('already');
  });

  it('lists every file that the manifest names', () => {
    const files = filesNamed({
      name: 'x',
      version: '1.0.0',
      main: './a.cjs',
      exports: { '.': { import: { types: './a.d.ts', default: './a.js' } }, './b': './a.js' },
      bin: { x: 'b.js' },
    });
    expect(files.sort()).toEqual(['a.cjs', 'a.d.ts', 'a.js', 'b.js']);
  });
});

describe('a README', () => {
  it('has links at the tag of its version, relative to its folder', () => {
    const text = '![p](demo/s.jpg) [d](../docs/a.md#b) [h](https://x.y/z) [i](#here) [m](mailto:a@b.c)';
    expect(absoluteLinks(text, ours, 'edge', '1.2.3')).toBe(
      '![p](https://github.com/Jo/sammy/raw/v1.2.3/edge/demo/s.jpg) ' +
        '[d](https://github.com/Jo/sammy/blob/v1.2.3/docs/a.md#b) [h](https://x.y/z) [i](#here) [m](mailto:a@b.c)',
    );
  });

  it.each(['', 'edge', 'analysis'])('in %j has no other relative links', (folder) => {
    const text = absoluteLinks(read(join(folder, 'README.md')), ours, folder, '1.2.3');
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
    expect(targets.length).toBeGreaterThan(0);
    // Links within the page do not change.
    for (const target of targets) expect(target).toMatch(/^(https?:\/\/|#)/);
  });
});

describe('how to install', () => {
  it.each(INSTALL_PAGES)('%s explains a checkout before the first release, and npm after it', (path) => {
    const before = read(path);
    expect(before).toContain('The package is not on npm yet');
    const since = publishedInstall(before);
    expect(since).not.toContain('not on npm yet');
    expect(since).not.toContain('first release');
    expect(since.match(/npm install/g)).toHaveLength(1);
    expect(since).toMatch(/```sh\nnpm install dashjs-sammy (dashjs|hls\.js|shaka-player)\n```/);
    expect(publishedInstall(since)).toBe(since);
  });
});

describe('the version', () => {
  it('is the same in every file of this repository, and has an entry in the changelog', () => {
    const version = agreedVersion(toldVersions({}));
    expect(version).toBe(manifest.version);
    expect(changelogEntry(read('CHANGELOG.md'), version).notes).toContain('### Added');
  });

  it('is rejected if a file or the tag states another version', () => {
    expect(() => agreedVersion({ 'package.json': '1.0.0', 'a.toml': '1.0.1', b: undefined })).toThrow(
      'package.json has version 1.0.0, but a.toml 1.0.1, b none',
    );
    expect(() => agreedVersion(toldVersions({ GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v99.0.0' }))).toThrow(
      'the tag 99.0.0',
    );
    expect(() => agreedVersion({ 'package.json': 'next' })).toThrow('package.json has no version');
  });

  const CHANGELOG =
    '# Changelog\n\n## [1.1.0] - Unreleased\n\n- b\n\n## [1.0.0] - 2026-01-31\n\n### Added\n\n- a\n\n## [0.9.0] - soon\n\n- c\n\n## [0.8.0] - 2025-01-01\n';
  it('is in the changelog with its date, or as unreleased', () => {
    expect(changelogEntry(CHANGELOG, '1.1.0')).toEqual({ date: null, notes: '- b' });
    expect(changelogEntry(CHANGELOG, '1.0.0')).toEqual({ date: '2026-01-31', notes: '### Added\n\n- a' });
  });
  it.each([
    ['1.0.1', "no entry '## [1.0.1] - DATE'"],
    ['0.9.0', "has 'soon' where a date"],
    ['0.8.0', 'says nothing of 0.8.0'],
  ])('%s is refused', (version, message) =>
    expect(() => changelogEntry(CHANGELOG, version)).toThrow(message),
  );
});

it('a tarball contains what its manifest names, nothing unwanted, and is small', () => {
  const small = { name: 'x', version: '1.0.0', main: './dist/a.js' };
  const packed = (size: number, ...paths: string[]) => ({
    filename: 'x.tgz',
    size,
    files: ['package.json', 'README.md', ...paths].map((path) => ({ path })),
  });
  const good = ['LICENSE', 'dist/a.js', 'dist/types/a.d.ts', 'dist/types/a.d.cts', 'models/m.bin'];
  expect(packedProblems(small, packed(1000, ...good), 1000)).toEqual([]);
  expect(
    packedProblems(small, packed(1001, 'dist/a.js.map', 'm.png', 'src/a.ts', '.env', 'dist/a.ts'), 1000),
  ).toEqual([
    'x: dist/a.js is not in the tarball',
    'x: LICENSE is not in the tarball',
    ...['dist/a.js.map', 'm.png', 'src/a.ts', '.env', 'dist/a.ts'].map(
      (path) => `x: ${path} does not belong into the tarball`,
    ),
    'x: the tarball has 1001 bytes, and at most 1000 are allowed',
  ]);
});

describe('the workflow', () => {
  interface Job {
    readonly needs?: string | string[];
    readonly if?: string;
    readonly permissions?: Record<string, string>;
    readonly environment?: string;
    readonly strategy?: { readonly matrix: { readonly include: { context: string; dockerfile: string }[] } };
    readonly steps: { readonly run?: string; readonly uses?: string }[];
  }
  const { jobs } = parse(read('.github/workflows/release.yml')) as { jobs: Record<string, Job> };

  it('publishes only packed and checked files, only for a tag, and with provenance', () => {
    for (const [name, { needs = [], permissions = {}, ...job }] of Object.entries(jobs)) {
      if (name === 'pack' || name === 'test') continue;
      const before = [needs].flat();
      expect(
        before.every((each) => each in jobs),
        name,
      ).toBe(true);
      // `readme` is the only job that publishes nothing: it commits the READMEs' text about the published package.
      if (name !== 'readme') expect(permissions['id-token'], name).toBe('write');
      // If a job is skipped, jobs that need it are skipped too.
      if (before.includes('pack')) expect(job.if, name).toBe("github.ref_type == 'tag'");
      else expect(before.length, name).toBeGreaterThan(0);
    }
  });

  it('gives tokens only to jobs in a protected environment, and only to actions pinned by commit', () => {
    for (const [name, { permissions = {}, environment }] of Object.entries(jobs))
      if (Object.values(permissions).includes('write'))
        expect(environment, name).toMatch(/^(release|github-pages)$/);
    for (const workflow of ['release.yml', 'nightly.yml'])
      for (const [, used = ''] of read(`.github/workflows/${workflow}`).matchAll(/uses: (.*)/g))
        expect(used).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  it('packs on a machine on which no test ran as root, and publishes these files', () => {
    const runs = (name: string) => jobs[name]?.steps.map(({ run = '' }) => run).join('\n') ?? '';
    expect(runs('test')).toContain('sudo');
    for (const name of Object.keys(jobs).filter((each) => each !== 'test'))
      expect(runs(name)).not.toMatch(/sudo|test:all/);
    for (const name of Object.keys(jobs).filter((each) => each !== 'pack'))
      expect(runs(name)).not.toMatch(/npm (pack|ci)/);
    for (const name of ['npm', 'python', 'images']) expect(jobs[name]?.needs, name).toEqual(['test', 'pack']);
  });

  it('runs existing commands and builds existing images', () => {
    const runs = Object.values(jobs).flatMap(({ steps }) => steps.map(({ run = '' }) => run));
    const named = runs.flatMap((run) => [...run.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name));
    expect(named).toContain('release');
    for (const name of named) expect(commands).toHaveProperty([name]);
    const images = jobs.images?.strategy?.matrix.include ?? [];
    expect(images).toHaveLength(3);
    for (const { context, dockerfile } of images) {
      expect(existsSync(join(root, dockerfile)), dockerfile).toBe(true);
      for (const [, path = ''] of read(dockerfile).matchAll(/^COPY (?!--from)(\S+) /gm))
        // The edge's package comes from the job that packs.
        if (!path.endsWith('.tgz'))
          expect(existsSync(join(root, context, path)), `${dockerfile}: ${path}`).toBe(true);
    }
  });
});

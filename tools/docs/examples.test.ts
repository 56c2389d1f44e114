import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate as lint } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findExecutable } from '../../system/find-executable.ts';
import { root } from '../steps.ts';

/** Checks examples/ without starting them; e2e/examples.spec.ts and edge/cache-recipes.test.ts start them. */
const EXAMPLES = join(root, 'examples');
const examples = readdirSync(EXAMPLES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const read = (...path: string[]): string => readFileSync(join(EXAMPLES, ...path), 'utf8');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        readonly build?: string | { readonly context: string; readonly dockerfile: string };
        readonly volumes?: readonly string[];
        readonly ports?: readonly string[];
      }
    >
  >;
}

it('lists every example, and each README explains briefly how to start it', () => {
  const list = read('README.md');
  for (const example of examples) {
    expect(list).toContain(`[${example}](${example}/README.md)`);
    const readme = read(example, 'README.md');
    expect(readme).toContain('```sh');
    expect(readme.split('\n').length).toBeLessThan(25);
  }
});

it('requires the versions that the tests use', () => {
  const { devDependencies: ours, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
    version: string;
  };
  for (const example of ['vite', 'react']) {
    const { dependencies, devDependencies } = JSON.parse(read(example, 'package.json')) as Record<
      'dependencies' | 'devDependencies',
      Record<string, string>
    >;
    for (const [name, asked] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(asked, name).toBe(`^${name === 'dashjs-sammy' ? version : (ours[name] ?? 'none')}`);
  }
});

const CONFIGURATION: Readonly<Record<string, RegExp>> = {
  'nginx/edge.conf': /server 127\.0\.0\.1:(\d+);[\s\S]*listen (\d+);/,
  'varnish/default.vcl': /\.port = "(\d+)"()/,
};

describe.each(Object.entries(CONFIGURATION))('compose of %s', (file, pattern) => {
  const [example = ''] = file.split('/');
  const { services } = parse(read(example, 'compose.yaml')) as Compose;

  it('builds from and mounts existing files', () => {
    for (const { build, volumes = [] } of Object.values(services)) {
      for (const volume of volumes) {
        const [path = ''] = volume.split(':');
        if (path.startsWith('.')) expect(existsSync(join(EXAMPLES, example, path)), path).toBe(true);
      }
      if (!build) continue;
      const { context, dockerfile } =
        typeof build === 'string' ? { context: build, dockerfile: 'Dockerfile' } : build;
      const folder = join(EXAMPLES, example, context);
      const text = readFileSync(join(folder, dockerfile), 'utf8');
      expect(lint(text)).toEqual([]);
      for (const [, copied = ''] of text.matchAll(/^COPY (?!--from)(.+) \S+$/gm))
        for (const path of copied.split(' ')) expect(existsSync(join(folder, path)), path).toBe(true);
    }
  });

  it('requests from the port on which the origin listens', () => {
    const [, origin = '', listens = ''] = pattern.exec(read(file)) ?? [];
    expect(services.origin?.ports).toEqual([`127.0.0.1:${origin}:80`]);
    expect(listens || /-a", ":(\d+)"/.exec(read(example, 'Dockerfile'))?.[1]).toBe('8081');
  });

  it('is valid for docker-compose', (context) => {
    if (!findExecutable('docker-compose'))
      return context.skip('no docker-compose: apt-get install docker-compose');
    const config = spawnSync('docker-compose', ['config', '--quiet'], {
      cwd: join(EXAMPLES, example),
      env: { ...process.env, CONTENT: EXAMPLES },
      encoding: 'utf8',
    });
    expect(config.stderr).toBe('');
    expect(config.status).toBe(0);
  });
});

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands } from './commands.ts';
import { root } from './steps.ts';

it('has an npm script for each command, in order', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  expect(Object.entries(scripts)).toEqual([
    ...Object.keys(commands).map((name) => [name, `node tools/run.mjs ${name}`]),
    ['prepack', 'npm run build'],
  ]);
});

it('names a page for each command that exists', () => {
  for (const { page } of Object.values(commands))
    // That of the commands is made when the site is built.
    expect(page === 'reference/commands.md' || existsSync(join(root, 'docs', page)), page).toBe(true);
});

it('refuses an argument of a command that has none, before its work', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/run.mjs', 'test', '--nope'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    "dashjs-sammy test: unexpected argument '--nope'; npm test has none (docs/internals/testing.md)\n",
  );
  expect(status).toBe(1);
});

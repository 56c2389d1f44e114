import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { abouts, npmWords } from './command-list.mjs';
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

it('describes each command', () => {
  expect(Object.keys(abouts)).toEqual(Object.keys(commands));
});

it('lists the commands before anything is installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'help-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['tools/run.mjs', 'tools/command-list.mjs', 'system/npm-gone.mjs'])
    cpSync(join(root, file), join(folder, file));
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/run.mjs', 'help'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  for (const name of Object.keys(commands)) expect(stdout).toContain(` ${npmWords(name)} `);
});

it('names an existing page for each command', () => {
  for (const { page } of Object.values(commands))
    // The page of commands is generated when the site is built.
    expect(page === 'reference/commands.md' || existsSync(join(root, 'docs', page)), page).toBe(true);
});

it('rejects an argument of a command without arguments before it starts', () => {
  const { status, stderr } = spawnSync(process.execPath, ['tools/run.mjs', 'test', '--nope'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    "dashjs-sammy test: unexpected argument '--nope'; npm test has none (docs/internals/testing.md)\n",
  );
  expect(status).toBe(1);
});

it('ends without an error message if the reader of its output has closed it', async () => {
  const command = spawn(process.execPath, ['tools/run.mjs', 'help', '--help'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  command.stdout.destroy();
  let errors = '';
  command.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  await once(command, 'close');
  expect(errors).toBe('');
});

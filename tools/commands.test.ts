import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { commands, npmScript } from './commands.ts';
import { root } from './steps.ts';

it('has an npm script of each command, in order, with what it does: `npm run` alone lists those', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const { prepack, ...others } = scripts;
  expect(prepack).toBe('npm run build');
  expect(Object.entries(others)).toEqual(Object.keys(commands).map((name) => [name, npmScript(name)]));
  // In quotes, for any shell.
  for (const script of Object.values(others)) expect(script).toMatch(/^node tools\/run\.mjs "[^"$`\\!%]+"$/);
});

it('names a page of each command that is there', () => {
  for (const { page } of Object.values(commands))
    // That of the commands is made when the site is built.
    expect(page === 'reference/commands.md' || existsSync(join(root, 'docs', page)), page).toBe(true);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { codeHash } from './code-hash.ts';

const root = mkdtempSync(join(tmpdir(), 'code-'));
afterAll(() => rmSync(root, { recursive: true }));

/** Makes a small project with a file in each folder that the hash covers. */
function projectWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'project-'));
  for (const part of ['src/a.ts', 'media/films/a.ts', 'emulation/player/a.ts', 'emulation/network/a.ts'])
    write(join(folder, part), '1');
  for (const part of ['ground/statistics/a.ts', 'studies/confirm/a.ts', 'studies/report/summary.ts'])
    write(join(folder, 'emulation', part), '1');
  write(join(folder, 'emulation/studies/sessions/trace-conditions.ts'), '1');
  write(join(folder, 'package-lock.json'), '1');
  for (const [file, text] of Object.entries(files)) write(join(folder, file), text);
  return folder;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

it('changes only with the playing code', () => {
  const before = codeHash(projectWith({}));
  expect(codeHash(projectWith({}))).toBe(before);
  const changed = ['src/a.ts', 'emulation/player/a.ts', 'src/new.ts', 'package-lock.json'];
  for (const file of changed) expect(codeHash(projectWith({ [file]: '2' })), file).not.toBe(before);
  const others = ['src/a.test.ts', 'emulation/studies/confirm/protocols/registered.json', 'docs/index.md'];
  for (const file of others) expect(codeHash(projectWith({ [file]: '2' })), file).toBe(before);
});

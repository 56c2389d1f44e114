import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listChanges } from './provenance.ts';

it('lists changed code, but not the registration that lab confirm has just written', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'changes-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  const register = 'emulation/studies/confirm/protocols/registered.json';
  write(register, '{}');
  write('src/pace.ts', 'one');
  git('init');
  git('add', '-A');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-m', 'first');
  write(register, '{"plays": []}');
  expect(await listChanges(folder)).toBe('');
  write('src/pace.ts', 'two');
  expect(await listChanges(folder)).toBe('M src/pace.ts');
});

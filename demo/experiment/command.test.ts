import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { main } from './command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sammy-demo-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('rejects the folder of an earlier run and names --force', async () => {
  await expect(main(['--out', folder])).rejects.toThrow(
    `--out: '${folder}' exists; use --force to replace it, or name another folder`,
  );
});

it('does not delete a folder that is not from an earlier run', async () => {
  await writeFile(join(folder, 'letters.txt'), 'mine');
  await expect(main(['--out', folder, '--force'])).rejects.toThrow('has no experiments.json');
});

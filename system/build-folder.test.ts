import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildFolder } from './build-folder.ts';

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'build-folder-'));
});
afterEach(() => rm(parent, { recursive: true }));

const fill =
  (text: string) =>
  (folder: string): Promise<void> =>
    writeFile(join(folder, 'file'), text);
const read = () => readFile(join(parent, 'target', 'file'), 'utf8');

test('creates the folder, and leaves nothing else', async () => {
  await buildFolder(join(parent, 'target'), fill('one'), { reuse: false });
  expect(await read()).toBe('one');
  expect(await readdir(parent)).toEqual(['target']);
});

test('replaces or reuses an existing folder', async () => {
  await buildFolder(join(parent, 'target'), fill('one'), { reuse: false });
  await buildFolder(join(parent, 'target'), fill('two'), { reuse: true });
  expect(await read()).toBe('one');
  await buildFolder(join(parent, 'target'), fill('three'), { reuse: false });
  expect(await read()).toBe('three');
});

test('keeps the old folder after a failure, and leaves no partial files', async () => {
  await buildFolder(join(parent, 'target'), fill('one'), { reuse: false });
  const failing = async (folder: string): Promise<void> => {
    await fill('half')(folder);
    throw new Error('the disk is full');
  };
  await expect(buildFolder(join(parent, 'target'), failing, { reuse: false })).rejects.toThrow(
    'disk is full',
  );
  expect(await read()).toBe('one');
  expect(await readdir(parent)).toEqual(['target']);
});

test('one process builds a folder, and another waits for it', async () => {
  let built = 0;
  const waitedFor: number[] = [];
  const build = async (folder: string): Promise<void> => {
    built++;
    await fill('one')(folder);
  };
  const options = { reuse: true, onWait: (owner: number) => void waitedFor.push(owner) };
  const target = join(parent, 'target');
  await Promise.all([buildFolder(target, build, options), buildFolder(target, build, options)]);
  expect(built).toBe(1);
  expect(await read()).toBe('one');
  expect(waitedFor.every((owner) => owner === process.pid || owner === 0)).toBe(true);
});

test('takes over the lock of a process that has died', async () => {
  const abandoned = join(parent, '.target.partial');
  await mkdir(join(abandoned, 'content'), { recursive: true });
  await writeFile(join(abandoned, 'content', 'half'), '');
  // A process id above Linux's maximum (2^22), which does not exist.
  await writeFile(join(abandoned, 'owner'), '4194305');
  await buildFolder(join(parent, 'target'), fill('one'), { reuse: true });
  expect(await readdir(join(parent, 'target'))).toEqual(['file']);
});

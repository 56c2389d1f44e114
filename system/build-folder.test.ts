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

test('builds the folder, and leaves no other files', async () => {
  await buildFolder(join(parent, 'target'), fill('one'), { reuse: false });
  expect(await read()).toBe('one');
  expect(await readdir(parent)).toEqual(['target']);
});

test('replaces or reuses the folder', async () => {
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

test('lets one of two processes build, and the other wait', async () => {
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

test('takes over the lock of an ended process', async () => {
  const abandoned = join(parent, '.target.partial');
  await mkdir(join(abandoned, 'content'), { recursive: true });
  await writeFile(join(abandoned, 'content', 'half'), '');
  // Above the largest pid that Linux gives out (2^22).
  await writeFile(join(abandoned, 'owner'), '4194305');
  await buildFolder(join(parent, 'target'), fill('one'), { reuse: true });
  expect(await readdir(join(parent, 'target'))).toEqual(['file']);
});

import { open, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { openCachedRead } from './cached-read.ts';

const canRead = process.platform === 'linux';

it.skipIf(!canRead)('reads memory at any position, and nothing beyond the end', async () => {
  const cachedRead = await openCachedRead();
  const path = fileURLToPath(import.meta.url);
  // Read the file normally first, so that it is in the page cache.
  const content = await readFile(path);
  const file = await open(path);
  try {
    const into = new Uint8Array(100);
    expect(cachedRead(file.fd, into, 20)).toBe(100);
    expect(Buffer.from(into)).toEqual(content.subarray(20, 120));
    expect(cachedRead(file.fd, into.subarray(0, 5), content.length - 3)).toBe(3);
    expect(Buffer.from(into.subarray(0, 3))).toEqual(content.subarray(-3));
    expect(cachedRead(file.fd, into, content.length)).toBe(0);
    expect(cachedRead(-1, into, 0)).toBe(0);
  } finally {
    await file.close();
  }
});

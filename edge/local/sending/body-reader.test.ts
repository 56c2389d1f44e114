import { expect, it } from 'vitest';
import { createReader } from './body-reader.ts';
import { BufferPool } from './buffer-pool.ts';

const body = () =>
  new ReadableStream({
    type: 'bytes',
    pull: ({ byobRequest }) => byobRequest?.respond(byobRequest.view?.byteLength ?? 0),
  });

it('holds no more memory than a small piece needs', async () => {
  const chunk = await createReader(body(), new BufferPool(65_536, 1)).read(4096);
  expect(chunk?.bytes.byteLength).toBe(4096);
  expect(chunk?.bytes.buffer.byteLength).toBe(4096);
});

it('reuses the buffer of a large piece', async () => {
  const pool = new BufferPool(65_536, 1);
  const chunk = await createReader(body(), pool).read(60_000);
  chunk?.release();
  expect(pool.take()).toBe(chunk?.bytes.buffer);
});

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { persistentAgent, KernelWire } from './kernel-wire.ts';

it('distinguishes a silent response from one that makes progress', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let now_ms = 0;
  const wire = new KernelWire({
    agent: persistentAgent(),
    videoFolder: new URL(`http://127.0.0.1:${port}/film/`),
    byPlugin: true,
    now_ms: () => now_ms,
    onEnd: () => undefined,
    onError: () => undefined,
  });
  try {
    const asked = { representation: '700', segment: 0, size_bytes: 2000, pace_kbps: null, cached: false };
    const { transfer } = wire.fetch(asked);
    const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
    response.writeHead(200, { 'content-length': 2000 });
    const arrives = async (time_ms: number, bytes: number, all_bytes: number) => {
      now_ms = time_ms;
      response.write(Buffer.alloc(bytes));
      await expect.poll(() => transfer.arrivedBy(now_ms)).toBe(all_bytes);
    };
    await arrives(50, 500, 500);
    expect(transfer.first_ms).toBe(50);
    expect([transfer.isSilentSince?.(50), transfer.isSilentSince?.(51)]).toEqual([false, true]);
    await arrives(400, 700, 1200);
    expect(transfer.first_ms).toBe(50);
    expect([transfer.isSilentSince?.(400), transfer.isSilentSince?.(401)]).toEqual([false, true]);
  } finally {
    wire.close();
    server.close();
  }
});

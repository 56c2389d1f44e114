import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { openSocketOptions } from './socket-options.ts';

const kernel = await openSocketOptions();

it.skipIf('unavailable' in kernel)('accepts floors whose sum needs more bits than a mark has', async () => {
  if ('unavailable' in kernel) return;
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  // Without the capability to set marks, all of them are refused.
  const isAllowed = kernel.setMark(accepted, 1);
  // The sum of 64 HTTP/2 responses (MAX_UNDER_WAY), each with the highest rtp, does not fit into 32 bits.
  expect(kernel.setMark(accepted, 64 * 100_000_000)).toBe(isAllowed);
  socket.destroy();
  accepted.destroy();
  server.close();
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { noStats } from '../response-event.ts';
import { Admission } from './admission.ts';
import { Connections } from './connections.ts';

it('counts refused connections, but not connections that the client has reset before', async () => {
  const stats = noStats();
  const connections = new Connections(
    null,
    new Admission({ connections: 1, perAddress: 1 }),
    stats,
    new Set(),
  );
  const server = createServer().listen(0, '127.0.0.1');
  connections.watch(server);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const reset = new Socket();
  server.emit('connection', reset);
  expect(reset.destroyed).toBe(true);
  expect(stats).toMatchObject({ connections: 0, refusedConnections: 0 });

  const first = connect(port, '127.0.0.1');
  await expect.poll(() => stats.connections).toBe(1);
  const second = connect(port, '127.0.0.1').on('error', () => undefined);
  await expect.poll(() => stats.refusedConnections).toBe(1);
  first.destroy();
  second.destroy();
  server.close();
});

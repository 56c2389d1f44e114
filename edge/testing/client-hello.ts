import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { connect } from 'node:tls';

/**
 * Records the first message of a TLS client, the ClientHello. An attacker can send copies of it without any
 * computation.
 */
export async function clientHello(): Promise<Buffer> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const client = connect({ port: (listener.address() as AddressInfo).port, host: '127.0.0.1' });
  client.on('error', () => undefined);
  const [socket] = (await once(listener, 'connection')) as [Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  listener.close();
  return hello;
}

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startRelay, type Relay } from './relay.ts';

/** Returns the number of bytes received until the other side ends the connection. */
async function received(socket: Socket): Promise<number> {
  let bytes = 0;
  socket.on('data', ({ length }) => (bytes += length));
  await once(socket, 'end');
  return bytes;
}

const HOST = '127.0.0.1';

describe('the relay', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });

  async function relayTo(serve: (socket: Socket) => void): Promise<Relay> {
    const server = createServer({ allowHalfOpen: true }, serve).listen(0, HOST);
    await once(server, 'listening');
    ends.push(() => server.close());
    const relay = await startRelay(
      { port: 0, host: HOST },
      { port: (server.address() as AddressInfo).port, host: HOST },
    );
    ends.push(() => relay.close());
    return relay;
  }

  it('forwards all bytes both ways, even after one side has ended', async () => {
    const relay = await relayTo(
      (socket) => void received(socket).then((bytes) => socket.end(Buffer.alloc(2 * bytes))),
    );
    const client = connect({ port: relay.port, host: HOST, allowHalfOpen: true });
    client.end(Buffer.alloc(1_000_000));
    expect(await received(client)).toBe(2_000_000);
  });

  it('ends one side when the other side ends', async () => {
    let serve: (socket: Socket) => void = () => undefined;
    const served = new Promise<Socket>((resolve) => (serve = resolve));
    const relay = await relayTo((socket) => serve(socket));
    const client = connect({ port: relay.port, host: HOST });
    client.write('x');
    const socket = await served;
    socket.on('error', () => undefined);
    const ended = once(socket, 'end');
    socket.resume();
    client.resetAndDestroy();
    await ended;
  });

  it('closes a connection whose target is unreachable, and all connections when it is closed', async () => {
    const free = createServer().listen(0, HOST);
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const relay = await startRelay({ port: 0, host: HOST }, { port, host: HOST });
    const client = connect({ port: relay.port, host: HOST });
    client.on('error', () => undefined);
    await once(client, 'close');
    await relay.close();
  });
});

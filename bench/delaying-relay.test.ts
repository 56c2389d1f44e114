import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startDelayingRelay } from './delaying-relay.ts';

it('delays bytes by half a round trip in each direction, and keeps their order', async () => {
  const echo = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const relay = await startDelayingRelay((echo.address() as AddressInfo).port, 40);
  const client = connect(Number(new URL(relay.url).port), '127.0.0.1');
  let heard = '';
  client.on('data', (chunk) => (heard += chunk.toString()));
  const said = Array.from({ length: 50 }, (_, index) => `${index},`);

  const ask = async (text: string, expected: string) => {
    const began = performance.now();
    client.write(text);
    while (heard !== expected) await once(client, 'data');
    return performance.now() - began;
  };
  // The first answer takes another round trip for the handshake. Timers may fire up to a millisecond early.
  expect(await ask('x', 'x')).toBeGreaterThan(78);
  expect(await ask(said.join(''), `x${said.join('')}`)).toBeGreaterThan(38);
  expect(relay.preflights).toBe(0);
  client.destroy();
  await relay.close();
  echo.close();
});

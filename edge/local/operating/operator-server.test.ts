import { createServer } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { startOperatorServer, type OperatorServer } from './operator-server.ts';

const given = {
  host: '127.0.0.1',
  port: 0,
  getDownReason: () => null,
  metrics: () => Promise.resolve('a 1\n'),
};

it('responds 200 while requests are accepted, and 503 when draining, and always has metrics', async () => {
  let isDraining = false;
  const server = await startOperatorServer({
    ...given,
    getDownReason: () => (isDraining ? 'draining' : null),
  });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  isDraining = true;
  const health = await fetch(`${server.url}/healthz?x=1`);
  expect([health.status, await health.text()]).toEqual([503, 'draining\n']);
  const metrics = await fetch(`${server.url}/metrics`);
  expect(await metrics.text()).toBe('a 1\n');
  expect(metrics.headers.get('Content-Type')).toMatch(/^text\/plain; version=0\.0\.4/);
  expect((await fetch(`${server.url}/`)).status).toBe(404);
  server.close();
});

it('refuses a port that is in use in one line', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await expect(startOperatorServer({ ...given, port })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use`,
  );
  taken.close();
});

describe('an unauthorized client of the port', () => {
  const dial = ({ url }: OperatorServer): Socket =>
    connect(Number(new URL(url).port), '127.0.0.1')
      .on('error', () => undefined)
      .resume();

  it('gets one response per connection, whatever is pipelined', async () => {
    let asked = 0;
    const server = await startOperatorServer({ ...given, metrics: () => Promise.resolve(`a ${++asked}\n`) });
    const flood = dial(server);
    let heard = '';
    flood.on('data', (text: Buffer) => (heard += text.toString()));
    flood.write('GET /metrics HTTP/1.1\r\nHost: edge\r\n\r\n'.repeat(10_000));
    await once(flood, 'close');
    expect(asked).toBe(1);
    expect(heard.split('HTTP/1.1 200 OK')).toHaveLength(2);
    expect(heard).toContain('Connection: close\r\n');
    server.close();
  });

  it('cannot lock the operator out with silent connections', async () => {
    const server = await startOperatorServer(given);
    const idle = Array.from({ length: 100 }, () => dial(server));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    const left = () => idle.filter((socket) => !socket.destroyed).length;
    await expect.poll(left, { timeout: 10_000 }).toBeLessThanOrEqual(32);
    // A request times out after 5 s.
    await expect.poll(left, { timeout: 20_000 }).toBe(0);
    server.close();
  }, 40_000);
});

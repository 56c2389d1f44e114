import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { startOperatorServer } from './operator-server.ts';

const given = { host: '127.0.0.1', port: 0, lack: () => null, metrics: () => 'a 1\n' };

it('says 200 while requests are taken, 503 from the moment of draining, and the metrics all along', async () => {
  let isDraining = false;
  const server = await startOperatorServer({ ...given, lack: () => (isDraining ? 'draining' : null) });
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

import { createServer } from 'node:http';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { Socket, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { TrafficRow } from './measures.ts';
import { measureTraffic, TrafficMeter } from './traffic-meter.ts';

it('counts the bytes of a connection for the arm of its latest request', () => {
  const socket = new Socket();
  let received = 1000;
  const meter = new TrafficMeter(() => received, 0);
  meter.begin(socket, '/stock/film/1.m4s');
  received += 400;
  expect(meter.take(100)).toEqual({ from_ms: 0, to_ms: 100, bytes: { stock: 400, sammy: 0 } });
  received += 30;
  meter.begin(socket, '/sammy/film/1.m4s');
  received += 7;
  expect(meter.take(250)).toEqual({ from_ms: 100, to_ms: 250, bytes: { stock: 30, sammy: 7 } });
  meter.begin(socket, '/measures.json');
  received += 5000;
  expect(meter.take(300).bytes).toEqual({ stock: 0, sammy: 0 });
});

it('discards a closed connection after its last bytes', () => {
  const socket = new Socket();
  let [received, looks] = [0, 0];
  const meter = new TrafficMeter(() => {
    looks++;
    return received;
  }, 0);
  meter.begin(socket, '/sammy/film/1.m4s');
  received = 9;
  socket.destroy();
  expect(meter.take(1).bytes.sammy).toBe(9);
  looks = 0;
  expect(meter.take(2).bytes.sammy).toBe(0);
  expect(looks).toBe(0);
});

it('measures the connections of a real server', async () => {
  const server = createServer((_, response) => response.end(Buffer.alloc(300_000))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rows: TrafficRow[] = [];
  const stop = await measureTraffic(5, (row) => rows.push(row));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const fetchAll = async (path: string) => {
    const asked = request({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      path,
      agent,
    }).end();
    const [response] = (await once(asked, 'response')) as [NodeJS.ReadableStream];
    response.resume();
    await once(response, 'end');
  };
  const total = (arm: 'stock' | 'sammy') => rows.reduce((sum, { bytes }) => sum + bytes[arm], 0);
  try {
    await fetchAll('/stock/film/1.m4s');
    await fetchAll('/index.html');
    await fetchAll('/sammy/film/1.m4s');
    // The headers of a response are counted in addition to its body.
    await expect.poll(() => total('sammy')).toBeGreaterThanOrEqual(300_000);
    expect(total('stock')).toBeGreaterThanOrEqual(300_000);
    for (const arm of ['stock', 'sammy'] as const) expect(total(arm)).toBeLessThan(302_000);
  } finally {
    stop();
    agent.destroy();
    server.close();
  }
});

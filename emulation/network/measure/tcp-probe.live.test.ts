import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rmdir } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openSocketOptions } from '../../../edge/local/kernel/socket-options.ts';
import { TRACEFS, ensureTracefs, startTcpProbe } from './tcp-probe.ts';

const cannotTrace = await ensureTracefs().then(
  () => undefined,
  (error: unknown) => (error as Error).message,
);

const instances = () => readdir(`${TRACEFS}/instances`);
const own = async () => (await instances()).filter((name) => name.startsWith(`dashjs-sammy-${process.pid}-`));

async function startServer(host: string) {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** Sends ten packets to a client on loopback, asks the kernel for the connection's RTT, and ends the server. */
async function tenPackets(server: Server, port: number) {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect(port, '127.0.0.1');
  const [socket] = await accepted;
  for (let sent = 0; sent < 10; sent += 1) {
    socket.write('x');
    await once(client, 'data');
  }
  const options = await openSocketOptions();
  if ('unavailable' in options) throw new Error(options.unavailable);
  // When all data are acknowledged, the RTT estimate stays constant. The last packet's event then shows the estimate
  // after the previous ACK.
  await expect.poll(() => options.readTcpInfo(socket)?.unacked_packets, { interval: 5 }).toBe(0);
  const srtt_ms = options.readTcpInfo(socket)?.rtt ?? NaN;
  const clientPort = client.localPort ?? NaN;
  client.write('x');
  await once(socket, 'data');
  client.destroy();
  socket.destroy();
  server.close();
  await once(server, 'close');
  return { clientPort, srtt_ms };
}

describe.skipIf(cannotTrace)(`tcp_probe${cannotTrace === undefined ? '' : ` (${cannotTrace})`}`, () => {
  it.each(['127.0.0.1', '::'])(
    'records every packet that a server at %s receives, on the clock of hrtime',
    async (host) => {
      const { server, port } = await startServer(host);
      const probe = await startTcpProbe({ port });
      const before_ms = Number(process.hrtime.bigint()) / 1e6;
      const before_epoch_ms = Date.now();
      const { clientPort, srtt_ms } = await tenPackets(server, port);
      const after_ms = Number(process.hrtime.bigint()) / 1e6;
      const { events, lost, ...clock } = await probe.stop();

      // There are up to ten ACKs, because delayed ACKs may acknowledge several packets, and the client's own packet.
      expect(events.length).toBeGreaterThanOrEqual(2);
      expect(new Set(events.map((event) => event.flow))).toEqual(new Set([`127.0.0.1:${clientPort}`]));
      expect(lost).toBe(0);
      // The trace point reports µs, as TCP_INFO does, and not the kernel's internal unit of 1/8 µs.
      expect(events.at(-1)?.srtt_ms).toBeCloseTo(srtt_ms, 3);
      for (const { t_ms, cwnd_packets } of events) {
        expect(t_ms).toBeGreaterThanOrEqual(before_ms - 0.01);
        expect(t_ms).toBeLessThanOrEqual(after_ms + 0.01);
        expect(cwnd_packets).toBeGreaterThan(0);
      }
      expect(Math.abs(clock.fromEpoch_ms(before_epoch_ms) - before_ms)).toBeLessThan(1000);
      expect(await own()).toEqual([]);
    },
  );

  it('ignores the connections of other servers', async () => {
    const probe = await startTcpProbe({ port: 9 });
    const { server, port } = await startServer('127.0.0.1');
    await tenPackets(server, port);
    expect((await probe.stop()).events).toEqual([]);
  });

  it('removes the leftovers of dead processes only', async () => {
    const dead = `${TRACEFS}/instances/dashjs-sammy-99999999-1`;
    const alive = `${TRACEFS}/instances/dashjs-sammy-${process.pid}-777`;
    await mkdir(dead);
    await mkdir(alive);
    try {
      const probe = await startTcpProbe({ port: 9 });
      expect(existsSync(dead)).toBe(false);
      expect(existsSync(alive)).toBe(true);
      await probe.stop();
    } finally {
      await rmdir(alive);
    }
  });

  it('leaves nothing behind when it cannot start', async () => {
    await expect(startTcpProbe({ port: NaN })).rejects.toThrow("tracefs refused 'sport==NaN' for events/tcp");
    expect(await own()).toEqual([]);
  });
});

describe('without root', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.skipIf(process.platform !== 'linux')('reports what is missing', async () => {
    vi.spyOn(process, 'getuid').mockReturnValue(1000);
    await expect(startTcpProbe({ port: 8080 })).rejects.toThrow('tracing TCP needs root: run it with sudo');
  });
});

/**
 * The directive cmcd_pace_congestion_control, for which the kernel needs two congestion controls.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { expect, it } from 'vitest';
import { runQuietly } from '../../system/run-quietly.ts';
import { congestionControls } from '../local/kernel/socket-options.ts';
import { timedGet } from '../testing/timed-get.ts';
import { describeWithNginx, readReceipt } from './live-nginx.ts';

const { available } = await congestionControls();

describeWithNginx('congestion controls of the nginx module', (live) => {
  const twoControls = it.skipIf(
    process.getuid?.() !== 0 || !['reno', 'bbr'].every((name) => available.includes(name)),
  );

  twoControls('gives each response its congestion control, and takes it back', async () => {
    const { url, port } = await live.start(
      (port) => `
        server {
          listen 127.0.0.1:${port}; root ${live.directory}; cmcd_pace on;
          cmcd_pace_congestion_control paced=reno,unpaced=bbr;
          location /other/ { alias ${live.directory}/; cmcd_pace_congestion_control reno; }
          location /none/ { alias ${live.directory}/; cmcd_pace_congestion_control bbr; cmcd_pace off; }
        }`,
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const inKernel = async (): Promise<string | undefined> => {
      const sockets = await runQuietly('ss', ['-tinHO', 'state', 'established', 'sport', '=', `:${port}`]);
      return available.find((name) => sockets.includes(` ${name} `));
    };
    const connections = new Set<string | undefined>();
    for (const [path, expected] of [
      ['/1.m4s', 'bbr'],
      ['/1.m4s?CMCD=rtp%3D90000', 'reno'],
      ['/1.m4s?CMCD=rtp%3D80000', 'reno'],
      ['/1.m4s', 'bbr'],
      ['/other/1.m4s', 'reno'],
      ['/none/1.m4s?CMCD=rtp%3D90000', 'bbr'],
      ['/other/1.m4s?CMCD=rtp%3D90000', 'reno'],
      // An error is unpaced, so it has the congestion control of unpaced responses.
      ['/2.m4s?CMCD=rtp%3D90000', 'bbr'],
    ] as const) {
      const receipt = readReceipt(await timedGet(`${url}${path}`, { agent }));
      connections.add(receipt.connection);
      expect(receipt.congestion_control).toBe(expected);
      expect(await inKernel()).toBe(expected);
    }
    agent.destroy();
    expect(connections.size).toBe(1);
  });

  twoControls(
    'begins a connection with the congestion control of unpaced responses, also after a reload',
    async () => {
      const named = (control: string) => (port: number) =>
        `server { listen 127.0.0.1:${port}; root ${live.directory}; ${control} }`;
      const own = (await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8')).trim();
      const another = own === 'reno' ? 'bbr' : 'reno';
      const { nginx, port } = await live.start(named(`cmcd_pace_congestion_control ${another};`));
      // Before any request, a connection has the listening socket's congestion control.
      const begun = async (): Promise<string | undefined> => {
        const socket = connectSocket(port, '127.0.0.1');
        await once(socket, 'connect');
        const found = await runQuietly('ss', ['-tinHO', 'state', 'established', 'sport', '=', `:${port}`]);
        socket.destroy();
        return available.find((name) => found.includes(` ${name} `));
      };
      expect(await begun()).toBe(another);
      await nginx.reload(named('')(port));
      await expect.poll(begun, { timeout: 10_000 }).toBe(own);
    },
  );
});

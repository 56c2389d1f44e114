import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureHaproxy, startHaproxy } from '../edge/haproxy/program.ts';
import { freePort } from '../system/free-port.ts';
import { runQuietly } from '../system/run-quietly.ts';
import { mostWithinMillisecond } from './nginx/bursts.ts';
import { startEdgeProcess } from './start-node-server.ts';
import { VETH, withVethLink } from './veth-link.ts';

/**
 * How exactly and how smoothly HAProxy's `filter bwlim-out` limits beside the kernel's pacing (the Node edge), over a veth with an
 * MTU of 1500 between two network namespaces: goodput over rtp, all rates at once, and the most that leaves within a millisecond.
 * Needs root, ip and Python 3.
 */
const RATES_KBPS = [1000, 5000, 20_000, 50_000];
const BURST_RATES_KBPS = [5000, 10_000];
const SECONDS = 8;
/** Above what waits for a busy client. */
const RECEIVE_BUFFER = '4096 8388608 16777216';

const CLIENT = fileURLToPath(new URL('nginx/client.ts', import.meta.url));

async function measure(name: string, port: number, server: string, client: string): Promise<void> {
  const download = async (rates: readonly number[]) => {
    const args = ['--import', 'tsx', CLIENT, 'http', VETH.server, port, SECONDS, ...rates].map(String);
    return JSON.parse(
      await runQuietly('ip', ['netns', 'exec', client, process.execPath, ...args]),
    ) as unknown;
  };
  console.log(`${name}: goodput over rtp`, await download(RATES_KBPS));
  for (const rate of BURST_RATES_KBPS) {
    const [most] = await Promise.all([mostWithinMillisecond(port, SECONDS, server), download([rate])]);
    console.log(`${name}: most within 1 ms at ${rate} kbit/s, bytes and packets`, most);
  }
}

const haproxyProgram = await ensureHaproxy(({ task }) => console.error(task));
const folder = mkdtempSync(join(tmpdir(), 'haproxy-bench-'));
const ending: (() => unknown)[] = [];
try {
  writeFileSync(join(folder, 'film'), '');
  truncateSync(join(folder, 'film'), (Math.max(...RATES_KBPS) / 8) * 1000 * SECONDS);
  await withVethLink({ congestionControl: 'reno', receiveBuffer: RECEIVE_BUFFER }, async (server, client) => {
    try {
      const place = { namespace: server, host: VETH.server };
      const edge = await startEdgeProcess(folder, [], { place });
      ending.push(() => edge.process.kill());
      // The origin behind HAProxy does not pace: only HAProxy's limit is measured.
      const origin = await startEdgeProcess(folder, ['--pacing', 'off'], { place });
      ending.push(() => origin.process.kill());
      const port = await freePort();
      const command = ['ip', 'netns', 'exec', server, ...haproxyProgram];
      const haproxy = startHaproxy(command, port, `${VETH.server}:${origin.port}`, VETH.server);
      ending.push(() => haproxy.kill());
      await sleep(2000);
      await measure('HAProxy', port, server, client);
      await measure('Node edge', edge.port, server, client);
    } finally {
      for (const end of ending) end();
    }
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}

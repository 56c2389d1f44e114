/*
 * Tests the bottleneck end to end with p4c and BMv2's simple_switch: veth pairs between network namespaces, the entries
 * of path.ts through simple_switch_CLI, one TCP flow, and its postcards. This test has never run, because p4c and
 * simple_switch were not available.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { startCollector } from '../collector/collector.ts';
import { parseConfig } from '../switch/config.ts';
import type { SwitchConfig } from '../switch/config.ts';
import { runBulkFlow } from '../switch/live/bulk-flow.ts';
import { ip } from '../../system/namespaces/ip.ts';
import { missingLiveReason } from '../switch/live/missing-live-reason.ts';
import { createNamespace, withNamespaces } from '../../system/namespaces/namespaces.ts';
import { PATH_PORTS, pathConfig } from '../switch/live/path.ts';
import type { PortConfig } from '../switch/port-config.ts';

const PROGRAMS = ['p4c', 'simple_switch', 'simple_switch_CLI', 'ethtool'];
const missing = PROGRAMS.filter((name) => spawnSync(name, ['--version']).error !== undefined);
const reason = missing.length
  ? `no ${missing.join(', ')} on PATH: github.com/p4lang, apt-get install ethtool`
  : missingLiveReason();

const id = process.pid.toString(36);
const THRIFT_PORT = 9190;
const STARTING_MS = 10_000;
const ADDRESSES: Record<number, string> = {
  [PATH_PORTS.outside]: '10.213.40.1',
  [PATH_PORTS.inside]: '10.213.40.2',
  [PATH_PORTS.collector]: '10.213.40.5',
};

/** Makes a veth pair with one end for the switch. Returns the name of this end. */
function makeLink(number: number, { interface: name = '', mac = '', namespace }: PortConfig): string {
  const peer = `${name}s`;
  ip(undefined, 'link', 'add', name, 'address', mac, 'type', 'veth', 'peer', 'name', peer);
  if (namespace !== undefined) ip(undefined, 'link', 'set', name, 'netns', namespace);
  // Turn off checksum and segmentation offload, which would cause wrong checksums and oversized segments.
  const offload = ['ethtool', '-K', name, 'tx', 'off'];
  const [command = '', ...args] =
    namespace === undefined ? offload : ['ip', 'netns', 'exec', namespace, ...offload];
  execFileSync(command, args, { stdio: 'ignore' });
  ip(namespace, 'addr', 'add', `${ADDRESSES[number] ?? ''}/30`, 'dev', name);
  ip(namespace, 'link', 'set', name, 'up');
  ip(undefined, 'link', 'set', peer, 'up');
  return peer;
}

/** Converts the configuration from path.ts to commands of simple_switch_CLI. */
function commands({ entries, defaults, mirrors }: SwitchConfig): string[] {
  const values = (list: readonly { value: string }[]): string => list.map(({ value }) => value).join(' ');
  return [
    ...entries.map(
      ({ table, keys, action, args }) => `table_add ${table} ${action} ${values(keys)} => ${values(args)}`,
    ),
    ...defaults.map(({ table, action, args }) => `table_set_default ${table} ${action} ${values(args)}`),
    ...mirrors.map(({ session, port }) => `mirroring_add ${session} ${port}`),
  ];
}

async function listening(port: number): Promise<void> {
  const deadline = Date.now() + STARTING_MS;
  while (Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const up = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (up) return;
    await sleep(100);
  }
  throw new Error(`simple_switch did not listen at port ${port}`);
}

describe.skipIf(reason !== undefined)(`p4c and BMv2${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test('the bottleneck forwards a TCP flow and sends its postcards', async () => {
    const [outside, inside] = [createNamespace('outside'), createNamespace('inside')];
    const collector = await startCollector({ port: 0, onPostcard: () => undefined });
    const config = parseConfig(
      pathConfig({
        name: `b${id}`,
        outside,
        inside,
        network: '10.213.40.0',
        bottleneck: { rate_bit_s: 1e9 },
        collectorPort: collector.port,
      }),
    );
    const folder = mkdtempSync(join(tmpdir(), 'bmv2-'));
    const peers: string[] = [];
    let device: ChildProcess | undefined;
    await withNamespaces([outside, inside], 'reno', async () => {
      try {
        execFileSync('p4c', ['--target', 'bmv2', '--arch', 'v1model', '-o', folder, config.program]);
        for (const [number, port] of config.ports) peers.push(`${number}@${makeLink(number, port)}`);
        const interfaces = peers.flatMap((peer) => ['-i', peer]);
        const thrift = ['--thrift-port', String(THRIFT_PORT)];
        const args = [...interfaces, ...thrift, join(folder, 'bottleneck.json')];
        device = spawn('simple_switch', args, { stdio: 'ignore' });
        await listening(THRIFT_PORT);
        const input = commands(config).join('\n');
        const said = execFileSync('simple_switch_CLI', thrift, { input, encoding: 'utf8' });
        expect(said).not.toMatch(/error|invalid/i);

        const flow = { from: outside, to: inside, address: ADDRESSES[PATH_PORTS.inside] ?? '', port: 5001 };
        expect(await runBulkFlow({ ...flow, warmup_s: 0.3, seconds: 2 })).toBeGreaterThan(0);
        const { received, malformed } = await collector.close();
        expect(received).toBeGreaterThan(0);
        expect(malformed).toEqual({ length: 0, version: 0, reserved: 0 });
      } finally {
        device?.kill();
        for (const peer of peers) ip(undefined, 'link', 'del', peer.replace(/^.*@/, ''));
        rmSync(folder, { recursive: true });
        await collector.close();
      }
    });
  }, 60_000);
});

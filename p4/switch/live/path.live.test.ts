import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { startCollector } from '../../collector/collector.ts';
import type { Postcard } from '../../collector/postcard.ts';
import { parseConfig } from '../config.ts';
import { runBulkFlow } from './bulk-flow.ts';
import { unaccounted } from './conservation.ts';
import { missingLiveReason } from './missing-live-reason.ts';
import { createNamespace, withNamespaces } from '../../../system/namespaces/namespaces.ts';
import { PATH_PORTS, pathConfig, startPath } from './path.ts';

const reason = missingLiveReason();
const id = process.pid.toString(36);
const RATE = 40_000_000;
/**
 * The theoretical goodput. A 1514-byte frame contains 1500 bytes of IP, minus 20 of IP header, 20 of TCP header and 12
 * of timestamps.
 */
const THEORY = (RATE * 1448) / 1514;

const base = {
  name: 'p4x',
  inside: 'r',
  network: '10.213.0.0',
  bottleneck: { rate_bit_s: RATE, depth_bytes: 1e5 },
};

/** Sends 56 bytes to a closed UDP port. The socket reports the resulting ICMP error. */
async function knock(address: string): Promise<unknown> {
  const socket = createSocket('udp4');
  socket.connect(9, address);
  await once(socket, 'connect');
  socket.send(Buffer.alloc(56));
  const [error] = (await once(socket, 'error')) as [{ code: string }];
  socket.close();
  return error.code;
}

/**
 * Sums the payload of packets that left other packets waiting, and the times until the next departure. During these
 * times the link was always busy.
 */
function whileBusy(cards: readonly Postcard[]): { payload_bytes: number; seconds: number } {
  let [payload_bytes, seconds] = [0, 0];
  const left_s = ({ t_s, queueTime }: Postcard) => t_s + queueTime / 1e6;
  cards.forEach((card, index) => {
    const next = cards[index + 1];
    if (!next || card.dequeueDepth === 0) return;
    payload_bytes += card.payloadLength;
    seconds += left_s(next) - left_s(card);
  });
  return { payload_bytes, seconds };
}

test('makes a valid switch configuration', () => {
  const config = parseConfig(
    pathConfig({ ...base, threshold: { packets: 20, action: 'mark' }, collectorPort: 9 }),
  );
  expect(config.ports.get(2)).toMatchObject({
    rate: { kind: 'constant', bitsPerSecond: RATE },
    depthBytes: 1e5,
    namespace: 'r',
  });
  expect(config.ports.get(1)?.rate).toBeUndefined();
  // The queue must hold the postcards of all packets that leave together.
  expect(config.ports.get(3)?.depthPackets).toBeGreaterThan(1000);
  expect(config.registers).toEqual([
    { name: 'threshold', index: 2, value: 20n },
    { name: 'policy', index: 2, value: 2n },
  ]);
  const front = parseConfig(pathConfig({ ...base, threshold: { packets: 20, action: 'drop-front' } }));
  expect(front.registers).toContainEqual({ name: 'policy', index: 2, value: 3n });
  expect(parseConfig(pathConfig(base)).ports.size).toBe(2);
});

test('makes additional uplinks ports that the bridge finds by address', () => {
  const moreUplinks = [{ delay_ns: 5e6 }, { delay_ns: 7e6 }];
  const config = parseConfig(pathConfig({ ...base, moreUplinks }));
  expect([...config.ports.keys()].toSorted()).toEqual([1, 2, 4, 5]);
  expect(config.ports.get(5)).toMatchObject({ delay_ns: 7e6, interface: 'p4xo2', mac: '02:00:00:00:01:02' });
  expect(config.entries).toContainEqual(
    expect.objectContaining({ table: 'bridge', action: 'forward', args: [{ name: 'port', value: '5' }] }),
  );
  expect(() => pathConfig({ ...base, moreUplinks: Array<object>(16).fill({}) })).toThrow(
    'has 16 additional uplinks',
  );
});

test('rejects an invalid name or network before creating anything', () => {
  expect(() => pathConfig({ ...base, name: 'a-b' })).toThrow("the path's name is 'a-b'");
  expect(() => pathConfig({ ...base, network: '10.0.0.3' })).toThrow("the path's network is '10.0.0.3'");
  expect(() => pathConfig({ ...base, network: '10.0.256.0' })).toThrow('10.0.256.0');
});

describe.skipIf(reason !== undefined)(`between namespaces${reason ? ` (skipped: ${reason})` : ''}`, () => {
  test("forwards TCP at the bottleneck's rate and accounts for every packet", async () => {
    const [outside, inside] = [createNamespace('outside'), createNamespace('inside')];
    const cards: Postcard[] = [];
    const collector = await startCollector({
      port: 0,
      onPostcard: (card) => {
        if (card.egressPort === PATH_PORTS.inside) cards.push(card);
      },
    });
    await withNamespaces([outside, inside], 'reno', async () => {
      const path = await startPath({
        name: `p${id}`,
        outside,
        inside,
        network: '10.213.8.0',
        bottleneck: { rate_bit_s: RATE, depth_packets: 60 },
        collectorPort: collector.port,
      });
      try {
        const flow = { from: outside, to: inside, address: path.insideAddress, port: 5001 };
        const goodput = await runBulkFlow({ ...flow, warmup_s: 0.5, seconds: 2 });
        expect(goodput).toBeGreaterThan(0);
        const status = await path.stop();
        expect(unaccounted(status)).toBe(0);
        await collector.close();
        // Count only while packets are waiting, so that delays of senders and receivers on a busy machine do not
        // matter.
        const { payload_bytes, seconds } = whileBusy(cards);
        expect(seconds).toBeGreaterThan(0.1);
        expect((payload_bytes * 8) / seconds / THEORY).toBeGreaterThan(0.98);
        expect((payload_bytes * 8) / seconds / THEORY).toBeLessThan(1.02);
      } finally {
        await path.stop();
      }
    });
    expect(execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })).not.toContain(inside);
  }, 180_000);

  test("without an outside namespace, uses the caller's namespace", async () => {
    const inside = createNamespace('inside');
    const postcards: Postcard[] = [];
    const collector = await startCollector({ port: 0, onPostcard: (postcard) => postcards.push(postcard) });
    await withNamespaces([inside], 'reno', async () => {
      const path = await startPath({
        name: `h${id}`,
        inside,
        network: '10.213.16.0',
        bottleneck: { rate_bit_s: RATE, depth_packets: 60, delay_ns: 120e6 },
        uplink: { delay_ns: 80e6 },
        collectorPort: collector.port,
        switchId: 3,
      });
      try {
        const asked = performance.now();
        await expect(knock(path.insideAddress)).resolves.toBe('ECONNREFUSED');
        // The round trip takes the delays of both directions.
        expect(performance.now() - asked).toBeGreaterThanOrEqual(200);
      } finally {
        await path.stop();
      }
    });
    const { lost, malformed, clockOffset_s } = await collector.close();
    expect({ lost, malformed }).toEqual({ lost: 0, malformed: { length: 0, version: 0, reserved: 0 } });
    const [there, back] = postcards.filter((postcard) => postcard.switchId === 3);
    // The request has 14 bytes of Ethernet, 20 of IP, 8 of UDP and 56 of payload. The reply has 14, 20, 8 of ICMP, and
    // the IP packet that it reports.
    expect(there).toMatchObject({
      egressPort: 2,
      packetLength: 98,
      payloadLength: 56,
      flow: { protocol: 17 },
    });
    expect(back).toMatchObject({ egressPort: 1, packetLength: 126, flow: { protocol: 1 } });
    expect(postcards).toHaveLength(2);
    // The switch and the collector use the same clock.
    expect(clockOffset_s).toBeGreaterThanOrEqual(0);
    expect(clockOffset_s).toBeLessThan(1);
    expect(execFileSync('ip', ['link'], { encoding: 'utf8' })).not.toContain(`h${id}`);
  }, 180_000);
});

import { describe, expect, test } from 'vitest';
import { startCollector } from '../../collector/collector.ts';
import { runBulkFlow } from './bulk-flow.ts';
import { reachedEgress, unaccounted } from './conservation.ts';
import { missingLiveReason } from './missing-live-reason.ts';
import { createNamespace, withNamespaces } from '../../../system/namespaces/namespaces.ts';
import { PATH_PORTS, startPath } from './path.ts';

const reason = missingLiveReason();
const id = process.pid.toString(36);
/**
 * Duration of the flow. It limits the number of packets at 100 Mbit/s, so that the collector's socket has room for all
 * postcards, no matter how late they are read.
 */
const SECONDS = 7;

describe.skipIf(reason !== undefined)(
  `live, between network namespaces${reason ? ` (skipped: ${reason})` : ''}`,
  () => {
    test.each([
      { flows: 1, seconds: 2, rate_bit_s: 40e6 },
      { flows: 128, seconds: SECONDS, rate_bit_s: 100e6 },
    ])(
      'over $seconds s of $flows TCP flows every packet is accounted for, and every postcard comes',
      async ({ flows, seconds, rate_bit_s }) => {
        const [outside, inside] = [createNamespace('outside'), createNamespace('inside')];
        let payload = 0;
        const collector = await startCollector({
          port: 0,
          onPostcard: ({ egressPort, payloadLength }) => {
            if (egressPort === PATH_PORTS.inside) payload += payloadLength;
          },
        });
        await withNamespaces([outside, inside], 'reno', async () => {
          const path = await startPath({
            name: `l${id}`,
            outside,
            inside,
            network: '10.213.32.0',
            // A small buffer, so that the flow keeps losing packets.
            bottleneck: { rate_bit_s, depth_packets: 30, delay_ns: 1e6, jitter_ns: 0.5e6, loss: 0.001 },
            uplink: { delay_ns: 1e6 },
            collectorPort: collector.port,
          });
          try {
            const flow = { from: outside, to: inside, address: path.insideAddress, port: 5001, flows };
            const goodput = await runBulkFlow({ ...flow, warmup_s: 0.3, seconds });
            const sent = await path.device.counter('sent', PATH_PORTS.inside);
            expect(sent.bytes).toBeGreaterThan((goodput * seconds) / 8);

            const status = await path.stop();
            const { counts, ports } = status;
            // Packets in + copies = out + dropped + lost + queued.
            expect(unaccounted(status)).toBe(0);
            expect(counts.received).toBe(ports.reduce((sum, { received }) => sum + received, 0));
            expect(counts.transmitted).toBe(
              ports.reduce((sum, port) => sum + port.transmitted + port.refused, 0),
            );
            expect(counts.failed).toBe(0);
            // A full queue drops packets before egress. These packets are counted, but have no postcard.
            expect(counts.droppedInQueue).toBeGreaterThan(0);
            expect(counts.lostOnWire).toBe(ports.reduce((sum, { lost }) => sum + lost, 0));
            expect(counts.copies).toBe(reachedEgress(status, PATH_PORTS.collector));

            const { received, lost, malformed } = await collector.close();
            expect({ lost, malformed }).toEqual({
              lost: 0,
              malformed: { length: 0, version: 0, reserved: 0 },
            });
            expect(received).toBe(counts.copies);
            expect(payload).toBeGreaterThan((goodput * seconds) / 8);
          } finally {
            await path.stop();
            await collector.close();
          }
        });
      },
      (SECONDS + 180) * 1000,
    );
  },
);

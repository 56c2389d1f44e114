import { expect, it } from 'vitest';
import type { Postcard } from '../../../../p4/collector/postcard.ts';
import { QueueWaits } from './queue-waits.ts';

const postcard = (sourcePort: number, t_s: number, queueTime: number, dropped = false): Postcard => ({
  ...{ switchId: 1, ingressPort: 0, egressPort: 1, tcp: undefined, payloadLength: 1448, packetLength: 1514 },
  ...{ enqueueDepth: 0, dequeueDepth: 0, marked: false, number: 0, t_s, queueTime, dropped },
  flow: {
    ...{ etherType: 0x0800, source: undefined, destination: undefined, protocol: 6 },
    ...{ sourcePort, destinationPort: undefined },
  },
});

it('counts packets that leave within the period, and their waits, for each queue', () => {
  const waits = new QueueWaits(2, (port) => (port === 90 ? 1 : 0));
  // Packets before the counted period are ignored.
  waits.note(postcard(80, 0, 1000));
  waits.count(10, 20);
  for (const queueTime of [0, 1000, 2000, 3000, 4000]) waits.note(postcard(80, 15, queueTime));
  waits.note(postcard(80, 15, 9000, true));
  // The first packet joins the queue before the period and leaves within it, so it counts; the second one leaves after
  // the period.
  waits.note(postcard(90, 9.999, 2000));
  waits.note(postcard(90, 19.999, 2000));
  const [offload, catalog] = waits.results();
  expect(offload).toMatchObject({ sent: 5, dropped: null, wait_p50_ms: 2 });
  expect(offload?.wait_p2_ms).toBeCloseTo(0.08);
  expect(offload?.wait_p98_ms).toBeCloseTo(3.92);
  expect(catalog).toMatchObject({ sent: 1, wait_p50_ms: 2 });
  expect(waits.bytes).toBe(6 * 1514);
  expect(new QueueWaits(1, () => 0).results()).toMatchObject([{ sent: 0, wait_p50_ms: null }]);
});

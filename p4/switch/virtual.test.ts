import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileFile } from '../compiler/compile.ts';
import { parseConfig } from './config.ts';
import { runVirtual } from './virtual.ts';
import type { Arrival } from './virtual.ts';

const program = join(import.meta.dirname, '../programs/bottleneck.p4');
const compiled = compileFile(program);

const MICROSECOND = 1000;
const COLLECTOR = 3;

/** At 8 Mbit/s, a frame of 1000 bytes takes exactly one millisecond. */
const config = (settings: object, registers: object[] = []): ReturnType<typeof parseConfig> =>
  parseConfig({
    program,
    ports: { 2: { rate_bit_s: 8_000_000, ...settings }, 3: { depth_packets: 100_000 } },
    entries: [
      { table: 'bridge', keys: { 'hdr.ethernet.destination': 2 }, action: 'forward', args: { port: 2 } },
    ],
    defaults: [
      {
        table: 'collector',
        action: 'to_collector',
        args: {
          switch_id: 1,
          source_mac: 1,
          destination_mac: 2,
          source: '10.0.0.1',
          destination: '10.0.0.2',
          port: 9,
        },
      },
    ],
    mirrors: [{ session: 1, port: COLLECTOR }],
    registers,
  });

/** A frame with an unknown EtherType, or an IPv4 frame with the given ECN bits. */
function frame(size: number, ecn?: number): Uint8Array {
  const bytes = new Uint8Array(size);
  bytes[5] = 2;
  bytes[12] = 0x88;
  bytes[13] = 0xb5;
  if (ecn === undefined) return bytes;
  // The IPv4 header: 45 0e 00 14 0000 0000 40 fd sum 0a000001 0a000002.
  const header = [0x45, ecn, 0, 20, 0, 0, 0, 0, 0x40, 0xfd, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
  bytes.set([8, 0, ...header], 12);
  const sum = ~(0x4500 + ecn + 20 + 0x40fd + 0x0a00 + 1 + 0x0a00 + 2) & 0xffff;
  bytes[24] = sum >> 8;
  bytes[25] = sum & 0xff;
  return bytes;
}

const arrivals = (times: number[], size = 1000, ecn?: number): Arrival[] =>
  times.map((time) => ({ time: time * MICROSECOND, port: 1, bytes: frame(size, ecn) }));

const POSTCARD = 42;
const word = (bytes: Uint8Array, at: number): number => Buffer.from(bytes).readUInt32BE(POSTCARD + at);
/** Reads enqueue depth, dequeue depth, enqueue timestamp and queue time from a postcard (postcard.md). */
const readQueue = (bytes: Uint8Array): number[] => [60, 64, 68, 72].map((at) => word(bytes, at));

describe('virtual time', () => {
  test('reports the queue depths of a pattern computed by hand', () => {
    const run = runVirtual(compiled, config({ depth_packets: 2 }), arrivals([0, 100, 200, 300, 2500]));
    // Times are in µs. The first packet is sent immediately and occupies the link until 1000. The second and third
    // wait. The fourth finds two waiting and is lost. The second leaves at 1000, with one behind it, and the third at
    // 2000. The packet that arrives at 2500 leaves at 3000, when the link is free again.
    expect(run.transmissions.filter(({ port }) => port === 2).map(({ time }) => time / MICROSECOND)).toEqual([
      0, 1000, 2000, 3000,
    ]);
    expect(
      run.transmissions.filter(({ port }) => port === COLLECTOR).map(({ bytes }) => readQueue(bytes)),
    ).toEqual([
      [0, 0, 0, 0],
      [0, 1, 100, 900],
      [1, 0, 200, 1800],
      [0, 0, 2500, 500],
    ]);
    expect(run.device.queues.counts(2)).toEqual({ enqueued: 4, dequeued: 4, dropped: 1, waiting: 0 });
  });

  test('packets in = out + dropped + queued, and a postcard for every packet that reached egress', () => {
    const times = Array.from({ length: 500 }, (_, at) => at * 700);
    const end = 200_000 * MICROSECOND;
    const { device, transmissions } = runVirtual(
      compiled,
      config({ depth_packets: 20 }),
      arrivals(times.filter((t) => t < 200_000)),
      { end },
    );
    const { enqueued, dequeued, dropped, waiting } = device.queues.counts(2);
    const sent = transmissions.filter(({ port }) => port === 2).length;
    expect(device.counts.received).toBe(enqueued + dropped);
    expect(enqueued).toBe(dequeued + waiting);
    expect(sent).toBe(dequeued);
    expect(transmissions.filter(({ port }) => port === COLLECTOR).length).toBe(dequeued);
    expect(device.counts.droppedInQueue).toBe(dropped);
    expect(waiting).toBeGreaterThan(0);
  });

  test('limits packets per second independent of size, like BMv2', () => {
    const run = runVirtual(
      compiled,
      config({ rate_bit_s: 1e12, rate_packets_s: 1000 }),
      arrivals([0, 0, 0], 60),
    );
    expect(
      run.transmissions.filter(({ port }) => port === 2).map(({ time }) => Math.round(time / MICROSECOND)),
    ).toEqual([0, 1000, 2000]);
  });

  const policy = (value: number): object[] => [
    { name: 'threshold', index: 2, value: 1 },
    { name: 'policy', index: 2, value },
  ];

  test('marks ECN-capable packets above the threshold and updates the checksum', () => {
    // The packets find depths of 0 (sent immediately), 0, 1 and 2. Only the last depth is above 1.
    const run = runVirtual(compiled, config({}, policy(2)), arrivals([0, 1, 2, 3], 1000, 2));
    const sent = run.transmissions.filter(({ port }) => port === 2);
    expect(sent.map(({ bytes }) => (bytes[15] ?? 0) & 3)).toEqual([2, 2, 2, 3]);
    const [, , , last] = sent;
    expect(last?.bytes.slice(12, 34)).toEqual(frame(1000, 3).slice(12, 34));
    const flags = run.transmissions
      .filter(({ port }) => port === COLLECTOR)
      .map(({ bytes }) => bytes[POSTCARD + 1]);
    expect(flags).toEqual([0, 0, 0, 2]);
  });

  test('does not mark packets that are not ECN-capable', () => {
    const run = runVirtual(compiled, config({}, policy(2)), arrivals([0, 1, 2, 3], 1000, 0));
    expect(
      run.transmissions.filter(({ port }) => port === 2).every(({ bytes }) => (bytes[15] ?? 0) === 0),
    ).toBe(true);
  });

  test('drops packets above the threshold and reports them', () => {
    const run = runVirtual(compiled, config({}, policy(1)), arrivals([0, 1, 2, 3]));
    expect(run.transmissions.filter(({ port }) => port === 2).length).toBe(3);
    const flags = run.transmissions
      .filter(({ port }) => port === COLLECTOR)
      .map(({ bytes }) => bytes[POSTCARD + 1]);
    expect(flags).toEqual([0, 0, 0, 1]);
    expect(run.plane.counts('dropped', 2)).toEqual({ packets: 1, bytes: 1000 });
  });

  test('drop front: drops the oldest packets while the queue is above the threshold', () => {
    const run = runVirtual(compiled, config({}, policy(3)), arrivals([0, 1, 2, 3, 2500, 2501]));
    // Times are in µs. The first packet is sent immediately. At 1000 three packets are waiting: the second and third
    // are dropped, and the fourth is sent. At 2000 the link becomes free. At 2500 one packet is sent immediately, and
    // another waits.
    const sent = run.transmissions.filter(({ port }) => port === 2);
    expect(sent.map(({ time }) => time / MICROSECOND)).toEqual([0, 1000, 2500, 3500]);
    const cards = run.transmissions.filter(({ port }) => port === COLLECTOR).map(({ bytes }) => bytes);
    expect(cards.map((bytes) => bytes[POSTCARD + 1])).toEqual([0, 1, 1, 0, 0, 0]);
    // Dropped packets use no link time.
    expect(cards.map((bytes) => readQueue(bytes))).toEqual([
      [0, 0, 0, 0],
      [0, 2, 1, 999],
      [1, 1, 2, 998],
      [2, 0, 3, 997],
      [0, 0, 2500, 0],
      [0, 0, 2501, 999],
    ]);
    expect(run.plane.counts('dropped', 2)).toEqual({ packets: 2, bytes: 2000 });
  });

  test('counts packets in the histogram by the binary digits of the depth', () => {
    const { plane } = runVirtual(compiled, config({}), arrivals([0, 1, 2, 3, 4, 5]));
    // The depths are 0, 0, 1, 2, 3, 4, with 0, 0, 1, 2, 2, 3 binary digits.
    const histogram = plane.register('depth_histogram');
    expect([0, 1, 2, 3, 4].map((bucket) => histogram.read(2 * 32 + bucket))).toEqual([2, 1, 2, 1, 0]);
  });
});

describe('invalid configurations', () => {
  test.each([
    [{ program }, 'the configuration: ports is null, but must be an object'],
    [
      { program, ports: { 2: { rate: 5 } } },
      "the configuration: ports: 2 has the unknown field 'rate'; it may have interface, namespace, mac, ipv6, rate_bit_s, rate_packets_s, rate_schedule, rate_poisson_bit_s, rate_trace, depth_packets, depth_bytes, weights, police_bit_s, police_burst_bytes, delay_ns, jitter_ns, gather_ns, loss",
    ],
    [
      { program, ports: { 1: {} }, mirrors: [{ session: 1, port: 4 }] },
      'the configuration: mirrors[0]: port is 4, but must be one of the ports 1',
    ],
    [{ program, ports: { 700: {} } }, "the port '700' is 700, but must be a whole number from 0 to 510"],
    [
      { program, ports: { 1: { depth_packets: 0 } } },
      'the configuration: ports: 1: depth_packets is 0, but must be a whole number from 1 to 1000000000',
    ],
  ])('%j', (json, message) => {
    expect(() => parseConfig(json)).toThrow(message);
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { compileFile } from '../../compiler/compile.ts';
import { parseConfig } from '../config.ts';
import { pathConfig, PATH_PORTS, type LinkSettings, type PathOptions } from '../live/path.ts';
import { runVirtual, type Arrival } from '../virtual.ts';
import { seededRandom } from '../../../system/random/seeded-random.ts';

/*
 * Tests a whole path in virtual time, as the lab configures it: the bottleneck's program, queues, links and wires. Live
 * paths run the same code.
 */

const program = join(import.meta.dirname, '../../programs/bottleneck.p4');
const compiled = compileFile(program);
const { inside, outside } = PATH_PORTS;
const MS = 1e6;

/** Makes an IPv4 UDP packet from this port, in a frame of this size. */
function datagram(size: number, sourcePort = 1000, ecn = 0): Uint8Array {
  const frame = Buffer.alloc(size);
  frame.write('020000000002020000000001' + '0800', 'hex');
  const header = Buffer.from('45000000000040004011' + '0000' + '0a000001' + '0a000002', 'hex');
  header[1] = ecn;
  header.writeUInt16BE(size - 14, 2);
  let sum = 0;
  for (let at = 0; at < 20; at += 2) sum += header.readUInt16BE(at);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  header.writeUInt16BE(~sum & 0xffff, 10);
  header.copy(frame, 14);
  frame.writeUInt16BE(sourcePort, 34);
  frame.writeUInt16BE(size - 34, 38);
  return frame;
}

const path = (bottleneck: LinkSettings, more: Partial<PathOptions> = {}) =>
  parseConfig(pathConfig({ name: 'v', inside: 'v', network: '10.0.0.0', bottleneck, ...more }));

const from = (port: number, times: readonly number[], make: (at: number) => Uint8Array): Arrival[] =>
  times.map((time, at) => ({ time, port, bytes: make(at) }));

/** Returns packets in + copies - out - dropped - lost - queued - on the wire, which must be 0. */
function unaccounted({ device }: ReturnType<typeof runVirtual>): number {
  const { counts, queues, wires } = device;
  const held = Object.values(PATH_PORTS).map(
    (port) => queues.counts(port).waiting + wires.counts(port).onWire,
  );
  return (
    counts.received +
    counts.copies -
    counts.transmitted -
    counts.droppedInIngress -
    counts.droppedInEgress -
    counts.droppedInQueue -
    counts.lostOnWire -
    counts.failed -
    held.reduce((sum, each) => sum + each, 0)
  );
}

describe('a link with a rate and a delay', () => {
  // At 12.112 Mbit/s, 1514 bytes take a millisecond.
  const rate_bit_s = 12_112_000;

  test('delivers a packet one delay after the end of its transmission, in each direction', () => {
    const config = path(
      { rate_bit_s, depth_packets: 10, delay_ns: 10_000_003 },
      { uplink: { delay_ns: 5 * MS } },
    );
    const { transmissions } = runVirtual(compiled, config, [
      ...from(outside, [0, 0], () => datagram(1514)),
      ...from(inside, [1 * MS], () => datagram(100)),
    ]);
    const at = (port: number) => transmissions.filter((each) => each.port === port).map(({ time }) => time);
    expect(at(inside)).toEqual([11 * MS + 3, 12 * MS + 3]);
    expect(at(outside)).toEqual([6 * MS]);
  });

  test('a frame that waits on the wire keeps its bytes', () => {
    const config = path({ rate_bit_s, depth_packets: 100, delay_ns: 50 * MS });
    const frames = Array.from({ length: 60 }, (_, at) => datagram(200 + 20 * at, at + 1));
    const { transmissions } = runVirtual(
      compiled,
      config,
      from(
        outside,
        frames.map((_, at) => at * 1000),
        (at) => frames[at]?.slice() ?? new Uint8Array(),
      ),
    );
    expect(transmissions.map(({ bytes }) => Buffer.from(bytes).toString('hex'))).toEqual(
      frames.map((frame) => Buffer.from(frame).toString('hex')),
    );
  });

  test('has separate thresholds per direction, which mark ECN-capable packets or drop', () => {
    const config = path(
      { rate_bit_s, depth_packets: 50, delay_ns: MS },
      {
        uplink: { rate_bit_s, depth_packets: 50, delay_ns: MS },
        threshold: { packets: 2, action: 'mark' },
        uplinkThreshold: { packets: 2, action: 'drop' },
      },
    );
    const times = Array.from({ length: 6 }, () => 0);
    const { transmissions, device } = runVirtual(compiled, config, [
      ...from(outside, times, () => datagram(1514, 1, 2)),
      ...from(inside, times, () => datagram(1514, 1, 2)),
    ]);
    // The packets find 0 (the first is sent immediately), 0, 1, 2, 3 and 4 packets in the queue. Two depths exceed 2.
    const ecn = transmissions.filter(({ port }) => port === inside).map(({ bytes }) => (bytes[15] ?? 0) & 3);
    expect(ecn).toEqual([2, 2, 2, 2, 3, 3]);
    expect(transmissions.filter(({ port }) => port === outside)).toHaveLength(4);
    expect(device.counts.droppedInEgress).toBe(2);
  });

  test('polices to its rate after a burst', () => {
    // The bucket contains packets 1 to 3, and gets 1514 bytes per ms (12.112 Mbit/s), so packets 6 and 8 pass too.
    const policed = { police_bit_s: rate_bit_s, police_burst_bytes: 3 * 1514 };
    const config = path({ rate_bit_s: 1e9, depth_packets: 100, ...policed });
    const times = [0, 0, 0, 0, 0.5 * MS, 1 * MS, 1.5 * MS, 2 * MS];
    const { transmissions, device } = runVirtual(
      compiled,
      config,
      from(outside, times, (at) => datagram(1514, at + 1)),
    );
    const ports = transmissions.map(({ bytes }) => Buffer.from(bytes).readUInt16BE(34));
    expect(ports).toEqual([1, 2, 3, 6, 8]);
    expect(device.counts.droppedInQueue).toBe(3);
  });

  test('shares the link between queues by weight, by source port', () => {
    const config = path(
      { rate_bit_s, depth_packets: 100, weights: [1, 3] },
      { queues: [{ source_port: 443, queue: 1 }] },
    );
    const both = Array.from({ length: 80 }, (_, at) => datagram(1514, at % 2 === 0 ? 443 : 80));
    const { transmissions } = runVirtual(
      compiled,
      config,
      from(
        outside,
        both.map(() => 0),
        (at) => both[at] ?? new Uint8Array(),
      ),
      { end: 39.5 * MS },
    );
    const of443 = transmissions.filter(({ bytes }) => Buffer.from(bytes).readUInt16BE(34) === 443).length;
    expect(transmissions).toHaveLength(40);
    // The expected share is 3/4 of 40. The tolerance of 1 is for the first packet, which was sent without a competitor.
    expect(Math.abs(of443 - 30)).toBeLessThanOrEqual(1);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'p4-link-'));
const trace = join(folder, 'some.trace');
// A trace with bursts of 6 Mbit/s on average.
writeFileSync(trace, '2\n2\n2\n7\n10\n');
afterAll(() => rmSync(folder, { recursive: true }));

describe('packets in = out + dropped + lost + queued + on the wire', () => {
  const schedule = [
    { seconds: 0.01, bit_s: 5e6 },
    { seconds: 0.005, bit_s: 40e6 },
  ];
  const links: readonly [string, LinkSettings, Partial<PathOptions>?][] = [
    ['constant', { rate_bit_s: 8e6, depth_packets: 20, delay_ns: 7 * MS, loss: 0.02 }],
    ['schedule', { rate_schedule: schedule, depth_bytes: 30_000, delay_ns: 3 * MS, jitter_ns: 2 * MS }],
    ['Poisson', { rate_poisson_bit_s: 8e6, depth_bytes: 20_000, loss: 0.1 }],
    [
      'weighted',
      { rate_bit_s: 8e6, depth_packets: 9, weights: [1, 2, 5], delay_ns: 1 },
      {
        queues: [
          { source_port: 1, queue: 1 },
          { source_port: 2, queue: 2 },
        ],
      },
    ],
    [
      'threshold',
      { rate_bit_s: 8e6, depth_packets: 50, delay_ns: MS },
      { threshold: { packets: 10, action: 'drop' } },
    ],
    [
      'drop front',
      { rate_bit_s: 8e6, depth_packets: 50, delay_ns: MS },
      { threshold: { packets: 10, action: 'drop-front' } },
    ],
    [
      'policed',
      {
        rate_bit_s: 40e6,
        depth_packets: 50,
        police_bit_s: 4e6,
        police_burst_bytes: 20_000,
        gather_ns: 5 * MS,
      },
    ],
    ['trace', { rate_trace: trace, depth_packets: 12, delay_ns: MS }],
    ['never busy', { delay_ns: 20 * MS, jitter_ns: 20 * MS, loss: 0.3 }],
  ];

  test.each(links)('%s', (_, bottleneck, more) => {
    const random = seededRandom(11);
    const uplink = { rate_bit_s: 2e6, depth_packets: 5, delay_ns: 4 * MS, loss: 0.01 };
    const config = path(bottleneck, { uplink, collectorPort: 9, ...more });
    let time = 0;
    const arrivals = Array.from({ length: 4000 }, (): Arrival => {
      time += random() * 1.6 * MS;
      const bytes = datagram(60 + Math.floor(random() * 1450), Math.floor(random() * 4));
      return { time, port: random() < 0.8 ? outside : inside, bytes };
    });
    // Check in the middle, when many packets are waiting, and at the end.
    for (const end of [time, Infinity]) {
      const run = runVirtual(compiled, config, arrivals, { end });
      expect(unaccounted(run)).toBe(0);
      const { counts, queues, wires } = run.device;
      expect(counts.received).toBe(4000);
      expect(run.transmissions).toHaveLength(counts.transmitted);
      // Each packet that reached egress has a postcard.
      expect(counts.copies).toBe(queues.counts(inside).dequeued + queues.counts(outside).dequeued);
      if (end === time) continue;
      expect(counts.droppedInQueue + counts.droppedInEgress + counts.lostOnWire).toBeGreaterThan(0);
      for (const port of [inside, outside]) {
        expect(wires.counts(port).onWire).toBe(0);
        const { time: last = 0 } = run.transmissions.findLast((each) => each.port === port) ?? {};
        expect(last).toBeGreaterThan(0);
      }
    }
  });

  test('the seed determines the run', () => {
    const run = (seed: number) =>
      runVirtual(
        compiled,
        path({ rate_poisson_bit_s: 8e6, depth_packets: 20, jitter_ns: 0, delay_ns: MS, loss: 0.1 }, { seed }),
        from(
          outside,
          Array.from({ length: 300 }, (_, at) => at * MS),
          () => datagram(1000),
        ),
      ).transmissions.map(({ time }) => time);
    expect(run(5)).toEqual(run(5));
    expect(run(5)).not.toEqual(run(6));
  });
});

describe('invalid links', () => {
  test.each<[object, string]>([
    [
      { delay_ns: -1 },
      'the configuration: ports: 2: delay_ns is -1, but must be a whole number from 0 to 3600000000000',
    ],
    [{ delay_ns: 0.5 }, 'delay_ns is 0.5, but must be a whole number'],
    [{ delay_ns: 5, jitter_ns: 6 }, 'jitter_ns is 6, but must be a whole number from 0 to 5'],
    [{ loss: 1.01 }, 'loss is 1.01, but must be a number from 0 to 1'],
    [{ depth_bytes: 0 }, 'depth_bytes is 0, but must be a whole number from 1'],
    [{ rate_bit_s: 0 }, 'rate_bit_s is 0, but must be a number up to 1000000000000, above 0'],
    [{ rate_bit_s: 1e6, rate_poisson_bit_s: 1e6 }, 'but must be a port with one rate'],
    [{ rate_schedule: [] }, 'rate_schedule is [], but must be a list of 1 to 100000 steps'],
    [{ rate_schedule: [{ seconds: 1 }] }, 'rate_schedule[0]: bit_s is null, but must be a number up to'],
    [
      { rate_trace: 'no-such-trace' },
      'rate_trace is "no-such-trace", but must be the path of a mahimahi trace',
    ],
    [{ rate_trace: import.meta.filename }, 'expected a time in whole milliseconds'],
    [{ police_bit_s: 1e6 }, 'police_bit_s is 1000000, but must be with the other one of'],
    [{ gather_ns: -1 }, 'gather_ns is -1, but must be a whole number from 0'],
    [{ weights: [] }, 'weights is [], but must be a list of 1 to 8 weights'],
    [{ weights: [1, 0] }, 'weights[1] is 0, but must be a whole number from 1 to 1000'],
  ])('%j', (settings, message) => {
    expect(() => parseConfig({ program, ports: { 2: settings } })).toThrow(message);
  });
});

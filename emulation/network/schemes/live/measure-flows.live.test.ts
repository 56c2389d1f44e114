import { expect, it } from 'vitest';
import { missingLiveReason } from '../../../../p4/switch/live/missing-live-reason.ts';
import type { Link } from '../../links/link.ts';
import { schemeNamed } from '../index.ts';
import type { Scheme } from '../scheme.ts';
import { measureFlows } from './measure-flows.ts';

const reason = missingLiveReason();
const link: Link = { rate: { kind: 'constant', mbps: 8 }, rtt_ms: 20, queue_bytes: 60_000 };

/** A scheme whose programs are run by Node or a shell. */
const scheme = (name: string, ends: { receiver: readonly string[]; sender: readonly string[] }): Scheme => ({
  ...schemeNamed('srt'),
  name,
  receiver: () => ends.receiver,
  sender: () => ends.sender,
});
const node = (program: string): string[] => [process.execPath, '-e', program];
const LISTEN =
  "require('node:net').createServer((s) => s.resume().on('error', () => 0)).listen(5001, '0.0.0.0')";

const measure = async (one: Scheme, seconds: number) =>
  await measureFlows(
    {
      ...{ link, seconds, seed: 1, program: (name) => name, congestionControl: (name) => name },
      flows: [{ scheme: one, start_s: 0 }],
    },
    AbortSignal.timeout(30_000),
  );

it.skipIf(reason)('reports a crashed scheme immediately, with its last output', async () => {
  const crash = scheme('crash', { receiver: ['sh', '-c', 'echo no such key >&2; exit 3'], sender: ['true'] });
  const { faults } = await measure(crash, 20);
  expect(faults).toEqual(['its receiver ended with status 3: no such key']);
});

it.skipIf(reason)('reports when a scheme ended too early', async () => {
  const early = scheme('early', { receiver: node(LISTEN), sender: ['sh', '-c', 'echo gone >&2; exit 1'] });
  const { faults } = await measure(early, 20);
  expect(faults[0]).toMatch(/^its sender ended with status 1: gone after \d\.\d s$/);
});

it.skipIf(reason)('reports every packet of a flow, with its delay and its flow', async () => {
  const send =
    "const s = require('node:net').connect(5001, process.argv[1], () => { const w = () => { while (s.write(Buffer.alloc(65536))); }; s.on('drain', w); w(); })";
  const flow: Scheme = {
    ...scheme('node', { receiver: node(LISTEN), sender: [] }),
    sender: ({ address }) => [...node(send), address],
  };
  const { faults, packets, departed_packets, postcards_missing } = await measure(flow, 2);
  expect(faults).toEqual([null]);
  expect(postcards_missing).toBe(0);
  // The departed packets include a few without a payload, which are not in `packets`.
  expect(packets.length).toBeGreaterThan(0.9 * departed_packets);
  const bits = packets.reduce((sum, { bytes }) => sum + bytes * 8, 0);
  // Counted from the first packet to the last, because on a busy machine, Node needs half of the two seconds to start.
  const took_s = (packets.at(-1)?.sent_s ?? NaN) - (packets[0]?.sent_s ?? NaN);
  expect(bits).toBeGreaterThan(0.5 * 8e6 * took_s);
  expect(took_s).toBeGreaterThan(0.2);
  // Half of the RTT, plus up to 40 packets of 1.514 ms each: 39 in the queue, and the packet in transmission.
  const delays = packets.map(({ delay_ms }) => delay_ms);
  expect(Math.min(...delays)).toBeGreaterThan(10);
  expect(Math.max(...delays)).toBeLessThan(10 + 42 * 1.514);
});

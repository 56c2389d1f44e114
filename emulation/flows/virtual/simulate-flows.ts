import { seededRandom } from '../../report/statistics/random.ts';
import { Agenda } from '../../world/agenda.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { KernelRules } from './kernel-rules.ts';
import { LinuxSender, type SenderCounts } from './linux-sender.ts';
import { VirtualQueue } from './virtual-queue.ts';
import { VirtualReceiver } from './virtual-receiver.ts';

/** Of the paper's lab (§3). */
export const VIRTUAL_PACKET_BYTES = 9000;
/** The senders' two interfaces together, in link rates. */
const ACCESS_RATES = 2;
/** Our choice, which the paper says nothing of: so long a receiver's interface gathers packets before it gives them to TCP. */
const GATHER_US = 30;
/** Our choice: every ACK comes up to so much later, in order. */
const JITTER_US = 5;

export interface VirtualOptions {
  readonly kernel: KernelRules;
  readonly seed: number;
  /** In place of the choices above. */
  readonly packet_bytes?: number;
  readonly access?: number;
  readonly gather_us?: number;
  readonly jitter_us?: number;
}

export interface VirtualResult {
  readonly flows: readonly SenderCounts[];
  readonly utilization: number;
  readonly dropped: number;
  /** The packets that found so many waiting, by that number; of the whole run. */
  readonly depths: readonly number[];
}

const DELAYED_ACK_MS = 40;

/** Plays Reno flows through one queue in virtual time; of the counts, the start-up is taken off. */
export function simulateFlows(traffic: Traffic, options: VirtualOptions): VirtualResult {
  const { rate_bit_s, rtt_ms, queue: rule, flows, seconds, from_s, burst_packets = 1 } = traffic;
  const random = seededRandom(options.seed);
  const { packet_bytes = VIRTUAL_PACKET_BYTES, access = ACCESS_RATES } = options;
  const { gather_us = GATHER_US, jitter_us = JITTER_US } = options;
  const agenda = new Agenda<() => void>();
  let now = 0;
  const at = (time_ms: number, act: () => void): void => agenda.add(Math.max(time_ms, now), act);
  const packet_ms = (packet_bytes * 8) / (rate_bit_s / 1000);
  const [delay_ms = 0] = rtt_ms;
  const waiting: number[][] = flows.map(() => []);
  const receivers = flows.map(() => new VirtualReceiver(burst_packets));
  const arrived: number[] = flows.map(() => 0);
  let gathering = false;
  let accessFree = 0;
  const gather = (): void => {
    gathering = false;
    waiting.forEach((numbers, flow) => {
      if (numbers.length === 0) return;
      const receiver = receivers[flow];
      const wasDelayed = receiver?.delayed;
      for (const ack of receiver?.take(numbers.splice(0)) ?? []) acknowledge(flow, ack);
      if (receiver?.delayed && !wasDelayed)
        at(now + DELAYED_ACK_MS, () => {
          const ack = receiver.late();
          if (ack) acknowledge(flow, ack);
        });
    });
  };
  const acknowledge = (flow: number, { upTo, beyond }: { upTo: number; beyond: readonly number[] }): void => {
    const time = Math.max(now + delay_ms - packet_ms + (random() * jitter_us) / 1000, arrived[flow] ?? 0);
    arrived[flow] = time;
    at(time, () => senders[flow]?.acknowledge(upTo, beyond));
  };
  const queue = new VirtualQueue(rule, packet_ms, at, ({ flow, number }) => {
    waiting[flow]?.push(number);
    if (gathering) return;
    gathering = true;
    at(now + gather_us / 1000, gather);
  });
  const senders = flows.map(
    ({ paced }, flow) =>
      new LinuxSender(
        {
          now_ms: () => now,
          at,
          transmit: (numbers) => {
            for (const number of numbers) {
              accessFree = Math.max(now, accessFree) + packet_ms / access;
              const time = accessFree;
              at(time, () => queue.push({ flow, number }, time));
            }
          },
        },
        { paced, kernel: options.kernel, burst_packets },
      ),
  );
  flows.forEach(({ start_s }, flow) => at(start_s * 1000, () => senders[flow]?.start()));
  const runTo = (end_ms: number): void => {
    while (agenda.next_ms <= end_ms) {
      now = agenda.next_ms;
      agenda.take()();
    }
    now = end_ms;
  };
  runTo(from_s * 1000);
  const before = senders.map(({ counts }) => ({ ...counts }));
  const [sentBefore, droppedBefore] = [queue.sent, queue.dropped];
  runTo(seconds * 1000);
  return {
    flows: senders.map(({ counts }, flow) => difference(counts, before[flow])),
    utilization: ((queue.sent - sentBefore) * packet_ms) / ((seconds - from_s) * 1000),
    dropped: queue.dropped - droppedBefore,
    depths: queue.depths,
  };
}

const difference = (after: SenderCounts, before: SenderCounts | undefined): SenderCounts => ({
  acked: after.acked - (before?.acked ?? 0),
  sent: after.sent - (before?.sent ?? 0),
  retransmitted: after.retransmitted - (before?.retransmitted ?? 0),
  acks: after.acks - (before?.acks ?? 0),
  limitedAcks: after.limitedAcks - (before?.limitedAcks ?? 0),
});

import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { Agenda } from '../../emulation/ground/clock/agenda.ts';
import type { Traffic } from '../traffic/traffic.ts';
import { isVirtualControl, type VirtualControl } from './controls/control-named.ts';
import type { KernelRules } from './kernel-rules.ts';
import { LinuxSender, type SenderCounts } from './sender/linux-sender.ts';
import { VirtualQueue, type LinkBehavior } from './virtual-queue.ts';
import { VirtualReceiver } from './virtual-receiver.ts';

/** The packet size in the lab of Unbiased Experiments in Congested Networks (§3). */
export const VIRTUAL_PACKET_BYTES = 9000;
/** The rate of the senders' two interfaces together, as a multiple of the link's rate. */
const ACCESS_RATES = 2;
/**
 * The time for which a receiver's interface gathers packets before it passes them to TCP. This project's choice,
 * because Unbiased Experiments in Congested Networks does not state the time.
 */
const GATHER_US = 30;
/** The maximum random delay of an ACK, without reordering. This project's choice. */
const JITTER_US = 5;

export interface VirtualOptions {
  readonly kernel: KernelRules;
  readonly seed: number;
  /** Replaces `VIRTUAL_PACKET_BYTES`. */
  readonly packet_bytes?: number;
  readonly access?: number;
  readonly gather_us?: number;
  /** The behavior of the link; by default a constant rate without loss. */
  readonly link?: LinkBehavior;
}

export interface VirtualResult {
  readonly flows: readonly SenderCounts[];
  readonly utilization: number;
  readonly dropped: number;
  /** The number of packets by the queue depth that they found, over the whole run. */
  readonly depths: readonly number[];
}

/** Running flows of a simulation. */
export interface VirtualFlows {
  readonly runTo: (end_ms: number) => void;
  /** The counts of each flow since its start; live objects that the simulation updates. */
  readonly counts: readonly Readonly<SenderCounts>[];
  /** Returns the current window of each flow, in packets. */
  readonly windows: () => readonly number[];
  readonly queue: Pick<VirtualQueue, 'sent' | 'dropped' | 'lost' | 'depths' | 'waiting'>;
  readonly packet_ms: number;
}

const DELAYED_ACK_MS = 40;

/** Simulates flows that share one queue, in virtual time. The counts exclude the start-up. */
export function simulateFlows(traffic: Traffic, options: VirtualOptions): VirtualResult {
  const { seconds, from_s } = traffic;
  const { runTo, counts, queue, packet_ms } = startFlows(traffic, options);
  runTo(from_s * 1000);
  const before = counts.map((each) => ({ ...each }));
  const [sentBefore, droppedBefore] = [queue.sent, queue.dropped];
  runTo(seconds * 1000);
  return {
    flows: counts.map((each, flow) => difference(each, before[flow])),
    utilization: ((queue.sent - sentBefore) * packet_ms) / ((seconds - from_s) * 1000),
    dropped: queue.dropped - droppedBefore,
    depths: queue.depths,
  };
}

/** Starts the flows. Throws an Error for a congestion control that does not exist in virtual time. */
export function startFlows(traffic: Traffic, options: VirtualOptions): VirtualFlows {
  const { rate_bit_s, rtt_ms, queue: rule, flows, burst_packets = 1 } = traffic;
  const random = seededRandom(options.seed);
  const { packet_bytes = VIRTUAL_PACKET_BYTES, access = ACCESS_RATES } = options;
  const { gather_us = GATHER_US } = options;
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
    const come_ms = options.link?.ackAt?.(now) ?? now;
    const time = Math.max(come_ms + delay_ms - packet_ms + (random() * JITTER_US) / 1000, arrived[flow] ?? 0);
    arrived[flow] = time;
    at(time, () => senders[flow]?.acknowledge(upTo, beyond));
  };
  const deliver = ({ flow, number }: { readonly flow: number; readonly number: number }): void => {
    waiting[flow]?.push(number);
    if (gathering) return;
    gathering = true;
    at(now + gather_us / 1000, gather);
  };
  const queue = new VirtualQueue(rule, packet_ms, at, deliver, options.link);
  const transmit = (flow: number, numbers: readonly number[]): void => {
    for (const number of numbers) {
      accessFree = Math.max(now, accessFree) + packet_ms / access;
      const time = accessFree;
      at(time, () => queue.push({ flow, number }, time));
    }
  };
  const senders = flows.map(
    ({ paced, congestion_control }, flow) =>
      new LinuxSender(
        { now_ms: () => now, at, random, transmit: (numbers) => transmit(flow, numbers) },
        {
          congestion_control: virtualControl(congestion_control),
          ...{ paced, burst_packets, kernel: options.kernel },
          handshake_ms: traffic.opened_first ? delay_ms : undefined,
        },
      ),
  );
  flows.forEach(({ start_s }, flow) => at(start_s * 1000, () => senders[flow]?.start()));
  return {
    runTo: (end_ms) => {
      while (agenda.next_ms <= end_ms) {
        now = agenda.next_ms;
        agenda.take()();
      }
      now = end_ms;
    },
    counts: senders.map(({ counts }) => counts),
    windows: () => senders.map(({ window }) => window),
    ...{ queue, packet_ms },
  };
}

function virtualControl(name: string): VirtualControl {
  if (isVirtualControl(name)) return name;
  throw new Error(`there is no congestion control '${name}' in virtual time`);
}

function difference(after: SenderCounts, before: SenderCounts | undefined): SenderCounts {
  const of = (count: keyof SenderCounts): number => after[count] - (before?.[count] ?? 0);
  return {
    ...{ acked: of('acked'), sent: of('sent'), retransmitted: of('retransmitted') },
    ...{ acks: of('acks'), limitedAcks: of('limitedAcks'), timeouts: of('timeouts') },
  };
}

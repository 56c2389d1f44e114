import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonic } from '../../p4/clock.ts';
import { startCollector, type CollectorStats } from '../../p4/collector/collector.ts';
import type { Postcard } from '../../p4/collector/postcard.ts';
import { ip } from '../../system/namespaces/ip.ts';
import { createNamespace } from '../../system/namespaces/namespaces.ts';
import type { LiveStatus } from '../../p4/switch/live/messages.ts';
import { PATH_PORTS, startPath, type Path } from '../../p4/switch/live/path.ts';
import { closeTogether } from '../../system/close-together.ts';
import {
  machineLoadBetween,
  type MachineLoad,
} from '../../emulation/network/measure/machine/machine-load.ts';
import { machineSnapshot } from '../../emulation/network/measure/machine/machine-snapshot.ts';
import { startTcpProbe, type AckEvents } from '../../emulation/network/measure/tcp-probe.ts';
import { startLabProgram, type LabProgram } from '../../emulation/ground/programs/program.ts';
import type { FlowCounts, ReceiverFlow, SenderFlow, SenderSample } from './messages.ts';
import { FRAME_BYTES } from './bdp-packets.ts';
import { ANY_RTT_LOG, BURST_SETTING } from './burst-problem.ts';
import { socketBuffers, type SocketBuffers } from './socket-buffers.ts';
import { checkTraffic, flowPort, type Traffic } from './traffic.ts';

/** The measurements of flows that share a bottleneck. All times are CLOCK_MONOTONIC. */
export interface MeasuredTraffic {
  /** The time at which the first flow may start. */
  readonly origin_s: number;
  /** The postcards of data packets at the bottleneck, in the order in which they left its queue. */
  readonly postcards: readonly Postcard[];
  readonly acks: AckEvents;
  /** TCP_INFO of each flow, at the end of the start-up (`before`) and at the end of the run (`after`). */
  readonly before: readonly FlowCounts[];
  readonly after: readonly FlowCounts[];
  readonly collector: CollectorStats;
  /**
   * The switch's status after the last packet. Its lateness covers the time from the end of the start-up to the end of
   * the flows.
   */
  readonly device: LiveStatus;
  readonly machine: MachineLoad;
}

const READY_WITHIN_S = 60;
const SAMPLED_WITHIN_S = 10;
/** The queue's size as a multiple of the threshold, so that the threshold takes effect before the queue is full. */
const ROOM = 8;
const ACTIONS = { drop: 'drop', mark: 'mark', front: 'drop-front' } as const;

/**
 * Runs the flows from outside through the switch's queue, and stops everything that it started. Throws a one-line
 * Error. If `isReported` is false, the switch sends no postcards; a test uses this to show that postcards do not affect
 * the results.
 */
export async function measureTraffic(
  traffic: Traffic,
  signal: AbortSignal,
  { isReported = true }: { readonly isReported?: boolean } = {},
): Promise<MeasuredTraffic> {
  checkTraffic(traffic);
  const { burst_packets = 1 } = traffic;
  const postcards: Postcard[] = [];
  const running = await closeTogether(async (onClose) => {
    const outside = addNamespace('outside', onClose);
    const inside = addNamespace('inside', onClose);
    const link = switchLink(traffic);
    const buffers = socketBuffers(traffic, link.bottleneck.depth_packets);
    const collector = await startCollector({
      port: 0,
      onPostcard: (postcard) => {
        if (postcard.egressPort === PATH_PORTS.inside && postcard.payloadLength > 0) postcards.push(postcard);
      },
    });
    onClose(() => collector.close());
    const path = await startPath({
      name: `sb${process.pid}`,
      outside,
      inside,
      network: `10.214.${process.pid % 256}.0`,
      ...(isReported && { collectorPort: collector.port }),
      ...link,
    });
    onClose(() => path.stop());
    for (const end of path.outsides) {
      // Without a limit the kernel sends all packets that an ACK allows in bursts of up to 64 kB, too much for a small buffer.
      ip(outside, 'link', 'set', end.interface, 'gso_max_segs', String(burst_packets));
      // Packets from inside may arrive at any of these interfaces, but answers leave through the first one.
      setIn(outside, `net/ipv4/conf/${end.interface}/rp_filter`, '0');
    }
    if (burst_packets > 1) setIn(outside, BURST_SETTING, String(ANY_RTT_LOG));
    const addresses = ecnAddresses(path, outside, inside);
    const last = flowPort(traffic.flows.length - 1);
    const probe = await startTcpProbe({ ports: [flowPort(0), last] });
    onClose(() => probe.stop());
    const sender = programIn(outside, 'sender.ts', senderFlows(traffic, buffers));
    onClose(() => sender.stop());
    await sender.expect('ready', READY_WITHIN_S);
    const receiver = programIn(inside, 'receiver.ts', receiverFlows(traffic, addresses, buffers));
    onClose(() => receiver.stop());
    await receiver.expect('ready', READY_WITHIN_S);
    return { collector, path, probe, sender, receiver };
  });
  const { collector, path, probe, sender, receiver } = running;
  try {
    const origin_s = monotonic() / 1e9;
    receiver.send({ type: 'begin' });
    await sleep(traffic.from_s * 1000, undefined, { signal });
    const owners = { run: process.pid, lab: process.ppid };
    const load = machineSnapshot(owners);
    await path.device.restartLateness();
    const before = await takeSample(sender);
    await sleep(until_ms(origin_s + traffic.seconds), undefined, { signal });
    const { lateness } = await path.status();
    const after = await takeSample(sender);
    const machine = machineLoadBetween(load, machineSnapshot(owners), owners);
    const acks = ofClient(await probe.stop(), path.insideAddress);
    await Promise.all([receiver.stop(), sender.stop()]);
    const device = { ...(await path.stop()), lateness };
    return { origin_s, postcards, acks, before, after, collector: await collector.close(), device, machine };
  } finally {
    await running.close();
  }
}

/**
 * Selects the records of one client, because the trace point sees all network namespaces, where flows of other labs or
 * tests may use the same ports.
 */
const ofClient = (acks: AckEvents, address: string): AckEvents => ({
  ...acks,
  events: acks.events.filter(({ flow }) => flow.startsWith(`${address}:`)),
});

const until_ms = (end_s: number): number => Math.max(0, end_s * 1000 - monotonic() / 1e6);

/**
 * Returns the settings of the switch's link. The downlink's delay is half of the shortest round trip, including the
 * transmission of a packet. Each class has the rest of its round trip as the delay of its uplink, which has no rate
 * limit. One BDP in flight thus keeps the link busy.
 */
function switchLink({ rate_bit_s, rtt_ms, queue }: Traffic) {
  const down_ms = Math.min(...rtt_ms) / 2;
  const transmission_ns = (FRAME_BYTES * 8e9) / rate_bit_s;
  const ways = rtt_ms.map((rtt) => ({ delay_ns: Math.round((rtt - down_ms) * 1e6) }));
  const [uplink = { delay_ns: 0 }, ...moreUplinks] = ways;
  return {
    bottleneck: {
      rate_bit_s,
      delay_ns: Math.max(0, Math.round(down_ms * 1e6 - transmission_ns)),
      depth_packets: queue.at === 'tail' ? queue.packets : queue.packets * ROOM,
    },
    ...(queue.at !== 'tail' && { threshold: { packets: queue.packets, action: ACTIONS[queue.at] } }),
    uplink,
    moreUplinks,
  };
}

function addNamespace(side: string, onClose: (end: () => unknown) => void): string {
  const name = createNamespace(side);
  ip(undefined, 'netns', 'add', name);
  onClose(() => ip(undefined, 'netns', 'del', name));
  ip(name, 'link', 'set', 'lo', 'up');
  // Measurements from earlier connections to the same address must not affect the next ones.
  setIn(name, 'net/ipv4/tcp_no_metrics_save', '1');
  setIn(name, 'net/ipv4/conf/all/rp_filter', '0');
  return name;
}

const setIn = (namespace: string, setting: string, value: string): void =>
  void execFileSync('ip', [
    ...['netns', 'exec', namespace],
    ...['sh', '-c', 'echo "$1" > "/proc/sys/$2"', 'sh', value, setting],
  ]);

/**
 * Returns two outside addresses for each class: one for flows without ECN, and one with a route that makes the client
 * request ECN.
 */
function ecnAddresses({ outsides, insideInterface }: Path, outside: string, inside: string) {
  return outsides.map(({ interface: name, mac, address }, index) => {
    const ecn = address.replace(/[0-9]+$/, String(FIRST_ECN_ADDRESS + index));
    const toIt = ['dev', insideInterface];
    ip(outside, 'addr', 'add', `${ecn}/32`, 'dev', name);
    ip(inside, 'route', 'add', `${ecn}/32`, ...toIt, 'features', 'ecn');
    ip(inside, 'neigh', 'replace', ecn, 'lladdr', mac, ...toIt, 'nud', 'permanent');
    return { plain: address, ecn };
  });
}

/** The first address for ECN, above the eight addresses of each of 16 interfaces. */
const FIRST_ECN_ADDRESS = 129;

function programIn(namespace: string, file: string, flows: readonly object[]): LabProgram {
  const enter = ['nsenter', `--net=/run/netns/${namespace}`, '--'];
  return startLabProgram(enter, new URL(file, import.meta.url), [JSON.stringify(flows)]);
}

const senderFlows = (
  { flows, opened_first: awaits = false }: Traffic,
  { send }: SocketBuffers,
): SenderFlow[] =>
  flows.map(({ congestion_control, bytes, paced }, index) => ({
    port: flowPort(index),
    congestion_control,
    bytes,
    paced,
    send_buffer: send,
    awaits,
  }));

const receiverFlows = (
  { flows, opened_first = false }: Traffic,
  addresses: ReturnType<typeof ecnAddresses>,
  buffers: SocketBuffers,
): ReceiverFlow[] =>
  flows.map(({ rtt_class, ecn, start_s }, index) => {
    const of = addresses[rtt_class];
    const address = (ecn ? of?.ecn : of?.plain) ?? '';
    return { port: flowPort(index), start_s, opened_first, address, buffers };
  });

async function takeSample(sender: LabProgram): Promise<readonly FlowCounts[]> {
  sender.send({ type: 'sample' });
  return (await sender.expect<SenderSample>('sampled', SAMPLED_WITHIN_S)).flows;
}

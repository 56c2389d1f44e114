/*
 * Connects two network namespaces through a live switch that runs bottleneck.p4:
 *
 *     outside (servers)                 switch                      inside (clients)
 *     .1  NAMEo  ── port 1 ──  bottleneck.p4, its queue  ── port 2 ──  NAMEi  .2
 *     .9, .17, ...  NAMEo1, NAMEo2, ...  ── ports 4, 5, ...  additional uplinks (optional)
 *     .5  NAMEc  ── port 3 ──  postcards, from .6, to the caller's network namespace
 *
 * The bottleneck is the queue of port 2, toward the inside; the uplink may have a queue too. Neighbor entries are
 * permanent and IPv6 is silent, so a full queue loses no ARP packets and carries only the callers' traffic.
 */
import { join } from 'node:path';
import { parseConfig } from '../config.ts';
import { ip } from '../../../system/namespaces/ip.ts';
import { LiveSwitch } from './live.ts';
import type { LiveStatus, NewEntry } from './messages.ts';

export interface PathOptions {
  /** Up to 14 letters and digits; prefix of the interface names NAMEo, NAMEi and NAMEc. */
  readonly name: string;
  /** Existing network namespaces. The default for each is the caller's own namespace. */
  readonly outside?: string;
  readonly inside?: string;
  /** The first of eight IPv4 addresses, such as 10.213.0.0: .1 is outside, .2 inside, .5 and .6 carry postcards. */
  readonly network: string;
  /** The link from outside to inside. */
  readonly bottleneck: LinkSettings;
  /** The link from inside to outside; without it, this direction has no queue. */
  readonly uplink?: LinkSettings;
  /**
   * Up to 15 additional outside interfaces, each with its own address and uplink. A packet from inside to one of these
   * addresses takes the uplink of this address. NAMEo1 has the 9th address after the network's first, NAMEo2 the 17th,
   * and so on.
   */
  readonly moreUplinks?: readonly LinkSettings[];
  /** The queue threshold of the bottleneck. */
  readonly threshold?: Threshold;
  /** The queue threshold of the uplink. */
  readonly uplinkThreshold?: Threshold;
  /** Assigns flows to a port's queues, in both directions. All other packets use the first queue. */
  readonly queues?: readonly QueueChoice[];
  /** Seed of the links' random numbers; 1 by default. */
  readonly seed?: number;
  /** The UDP port of the collector, in the caller's network namespace. Without it, the switch sends no postcards. */
  readonly collectorPort?: number;
  /** The switch's number in its postcards; 1 by default. */
  readonly switchId?: number;
}

/**
 * Link settings with the field names of the switch's configuration. Rates count whole Ethernet frames, so an IP packet
 * counts 14 more bytes.
 */
export interface LinkSettings {
  /** Set at most one of the four rates. */
  readonly rate_bit_s?: number;
  /** Steps, repeated in order. */
  readonly rate_schedule?: readonly { readonly seconds: number; readonly bit_s: number }[];
  readonly rate_poisson_bit_s?: number;
  /** The path of a mahimahi trace. */
  readonly rate_trace?: string;
  /** Maximum packets per queue (drop-tail). Set this, `depth_bytes`, or both. */
  readonly depth_packets?: number;
  /** Maximum bytes per queue (drop-tail). */
  readonly depth_bytes?: number;
  /** A token bucket before the queues that drops excess packets; set both or neither. */
  readonly police_bit_s?: number;
  readonly police_burst_bytes?: number;
  /** Weighted round robin with one queue per weight. `queues` assigns packets to queues. */
  readonly weights?: readonly number[];
  /** One-way delay. */
  readonly delay_ns?: number;
  /** A frame's delay is uniformly distributed within this distance of `delay_ns`, which must not be smaller. */
  readonly jitter_ns?: number;
  /** Interval at which waiting frames are sent together. */
  readonly gather_ns?: number;
  /** The share of frames lost at random, 0 to 1. */
  readonly loss?: number;
}

/**
 * The egress policy for packets that find more than `packets` packets in their queue. `drop-front` is different: it
 * drops departing packets, which are the oldest, while the queue including the departing packet holds more than
 * `packets` packets.
 */
interface Threshold {
  readonly packets: number;
  readonly action: keyof typeof ACTIONS;
}

/** Puts IPv4 packets from this TCP or UDP port into the queue with this number. */
interface QueueChoice {
  readonly source_port: number;
  readonly queue: number;
}

export interface PathEnd {
  readonly interface: string;
  readonly mac: string;
  readonly address: string;
}

/** The ports of the switch. Additional outside interfaces use the ports from FIRST_EXTRA_PORT. */
export const PATH_PORTS = { outside: 1, inside: 2, collector: 3 } as const;
const FIRST_EXTRA_PORT = 4;
const MAX_EXTRA_UPLINKS = 15;

export interface Path {
  readonly device: LiveSwitch;
  readonly outsideAddress: string;
  readonly insideAddress: string;
  /** The interface through which packets to the inside leave the outside namespace. */
  readonly outsideInterface: string;
  /** All outside interfaces, including the first. */
  readonly outsides: readonly PathEnd[];
  readonly insideInterface: string;
  /** Changes the queue of packets from a TCP or UDP port, starting now. */
  choose(choice: QueueChoice): Promise<void>;
  status(): Promise<LiveStatus>;
  /** Removes the path and returns the final counts. */
  stop(): Promise<LiveStatus>;
}

const PROGRAM = join(import.meta.dirname, '../../programs/bottleneck.p4');
/** Codes of the program's policies. */
const ACTIONS = { drop: 1, mark: 2, 'drop-front': 3 };
const PREFIX = '/30';
/**
 * Depth of the postcards' queue. When the switch had to wait for a CPU, it then sends many packets at once, and the
 * postcards of all these packets join the queue together.
 */
const POSTCARD_QUEUE_PACKETS = 16_384;

/**
 * Creates the path and forwards until it is stopped. If anything fails, it removes everything that it created.
 * Benchmarks pass a `thread` of their own instead of the switch's thread.
 */
export async function startPath(options: PathOptions, thread?: URL): Promise<Path> {
  const config = parseConfig(pathConfig(options));
  const { outside, inside } = options;
  const ends = addresses(options);
  const device = await LiveSwitch.start(config, thread);
  try {
    for (const end of Object.values(ends)) {
      if (end === ends.collector && options.collectorPort === undefined) continue;
      const namespace = end === ends.inside ? inside : end === ends.outside ? outside : undefined;
      const { interface: name, address, peer, peerMac } = end;
      ip(namespace, 'addr', 'add', `${address}${PREFIX}`, 'dev', name);
      ip(namespace, 'neigh', 'replace', peer, 'lladdr', peerMac, 'dev', name, 'nud', 'permanent');
    }
    // If the inside is the caller's own namespace, it keeps its default route.
    if (inside !== undefined)
      ip(inside, 'route', 'add', 'default', 'via', ends.outside.address, 'dev', ends.inside.interface);
    for (const { interface: name, address, mac } of extraEnds(options)) {
      ip(outside, 'addr', 'add', `${address}/32`, 'dev', name);
      ip(inside, 'route', 'add', `${address}/32`, 'dev', ends.inside.interface);
      ip(
        ...([inside, 'neigh', 'replace', address, 'lladdr', mac] as const),
        ...['dev', ends.inside.interface, 'nud', 'permanent'],
      );
    }
  } catch (error) {
    await device.stop();
    throw error;
  }
  return {
    device,
    outsideAddress: ends.outside.address,
    insideAddress: ends.inside.address,
    outsideInterface: ends.outside.interface,
    outsides: [ends.outside, ...extraEnds(options)],
    insideInterface: ends.inside.interface,
    choose: (choice) => device.addEntry(queueEntry(choice)),
    status: () => device.status(),
    stop: () => device.stop(),
  };
}

interface End extends PathEnd {
  readonly peer: string;
  readonly peerMac: string;
}

/** Locally administered MAC addresses (IEEE 802 §8.4), the same in every path. */
const MAC = {
  outside: '02:00:00:00:00:01',
  inside: '02:00:00:00:00:02',
  collector: '02:00:00:00:00:05',
  cards: '02:00:00:00:00:06',
};

function addresses({ name, network }: PathOptions): Record<'outside' | 'inside' | 'collector', End> {
  if (!/^[a-z0-9]{1,14}$/i.test(name))
    throw new Error(`the path's name is '${name}', but must be 1 to 14 letters and digits`);
  const bytes = network.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (!/^[0-9]+(\.[0-9]+){3}$/.test(network) || bytes.some((byte) => byte > 255) || d % 8 !== 0)
    throw new Error(`the path's network is '${network}', but must be an IPv4 address divisible by 8`);
  const at = (offset: number): string => `${a}.${b}.${c}.${d + offset}`;
  return {
    outside: { interface: `${name}o`, mac: MAC.outside, address: at(1), peer: at(2), peerMac: MAC.inside },
    inside: { interface: `${name}i`, mac: MAC.inside, address: at(2), peer: at(1), peerMac: MAC.outside },
    collector: { interface: `${name}c`, mac: MAC.collector, address: at(5), peer: at(6), peerMac: MAC.cards },
  };
}

function extraEnds({ name, network, moreUplinks = [] }: PathOptions): PathEnd[] {
  const last = Number(network.split('.')[3]);
  if (moreUplinks.length > MAX_EXTRA_UPLINKS || (moreUplinks.length > 0 && last !== 0))
    throw new Error(
      `the path has ${moreUplinks.length} additional uplinks from ${network}, but may have at most ${MAX_EXTRA_UPLINKS}, and only if the address ends in 0`,
    );
  return moreUplinks.map((_, index) => ({
    interface: `${name}o${index + 1}`,
    mac: `02:00:00:00:01:${(index + 1).toString(16).padStart(2, '0')}`,
    address: network.replace(/[0-9]+$/, String(8 * (index + 1) + 1)),
  }));
}

/** The path's switch configuration, in the format of its JSON file. */
export function pathConfig(options: PathOptions): object {
  const { outside, inside, bottleneck, uplink, queues = [], seed, collectorPort, switchId = 1 } = options;
  const ends = addresses(options);
  const { outside: out, inside: into, collector } = PATH_PORTS;
  const more = extraEnds(options).map((end, index) => ({ end, port: FIRST_EXTRA_PORT + index }));
  const forward = (from: number, to: number): object => ({
    table: 'unknown',
    keys: { 'standard_metadata.ingress_port': from },
    action: 'forward',
    args: { port: to },
  });
  const place = (end: PathEnd, namespace: string | undefined): object => ({
    interface: end.interface,
    mac: end.mac,
    ipv6: false,
    ...(namespace !== undefined && { namespace }),
  });
  return {
    program: PROGRAM,
    ports: {
      [out]: { ...place(ends.outside, outside), ...uplink },
      [into]: { ...place(ends.inside, inside), ...bottleneck },
      ...(collectorPort !== undefined && {
        [collector]: { ...place(ends.collector, undefined), depth_packets: POSTCARD_QUEUE_PACKETS },
      }),
      ...Object.fromEntries(
        more.map(({ end, port }, index) => [
          port,
          { ...place(end, outside), ...options.moreUplinks?.[index] },
        ]),
      ),
    },
    ...(seed !== undefined && { seed }),
    entries: [
      forward(out, into),
      forward(into, out),
      ...more.flatMap(({ end, port }) => [forward(port, into), bridgeEntry(end.mac, port)]),
      ...queues.map(queueEntry),
    ],
    registers: [
      ...thresholdRegisters(into, options.threshold),
      ...thresholdRegisters(out, options.uplinkThreshold),
    ],
    ...(collectorPort !== undefined && {
      mirrors: [{ session: 1, port: collector }],
      defaults: [
        {
          table: 'collector',
          action: 'to_collector',
          args: {
            switch_id: switchId,
            source_mac: MAC.cards,
            destination_mac: MAC.collector,
            source: ends.collector.peer,
            destination: ends.collector.address,
            port: collectorPort,
          },
        },
      ],
    }),
  };
}

const thresholdRegisters = (port: number, threshold: Threshold | undefined): object[] =>
  threshold
    ? [
        { name: 'threshold', index: port, value: threshold.packets },
        { name: 'policy', index: port, value: ACTIONS[threshold.action] },
      ]
    : [];

const bridgeEntry = (mac: string, port: number): object => ({
  table: 'bridge',
  keys: { 'hdr.ethernet.destination': mac },
  action: 'forward',
  args: { port },
});

const queueEntry = ({ source_port, queue }: QueueChoice): NewEntry => ({
  table: 'queues',
  keys: { 'meta.source_port': source_port },
  action: 'into_queue',
  args: { queue },
});

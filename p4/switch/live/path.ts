/*
 * The bottleneck as a cable between two network namespaces, with nothing else on it:
 *
 *   outside (servers)                 switch                      inside (clients)
 *   .1  NAMEo  ── port 1 ──  bottleneck.p4, its queue  ── port 2 ──  NAMEi  .2
 *   .9, .17, ...  NAMEo1, NAMEo2, ...  ── ports 4, 5, ...  further ways out, where asked for
 *   .5  NAMEc  ── port 3 ──  postcards, from .6, to the network namespace of the caller
 *
 * The queue that matters is port 2's, on the way in; the way out may have one too. Neighbor entries are permanent and
 * IPv6 stays silent, so that a full queue loses no ARP, and every packet in it is somebody's traffic.
 */
import { join } from 'node:path';
import { parseConfig } from '../config.ts';
import { ip } from '../../../system/namespaces/ip.ts';
import { LiveSwitch } from './live.ts';
import type { LiveStatus, NewEntry } from './messages.ts';

export interface PathOptions {
  /** Up to 14 letters and digits: the interfaces are called NAMEo, NAMEi and NAMEc. */
  readonly name: string;
  /** The network namespaces, which exist; either is the caller's own unless said. */
  readonly outside?: string;
  readonly inside?: string;
  /** The first of eight IPv4 addresses, as 10.213.0.0: .1 is outside, .2 inside, .5 and .6 for the postcards. */
  readonly network: string;
  /** On the way in. */
  readonly bottleneck: LinkSettings;
  /** On the way out; without it that way has no queue. */
  readonly uplink?: LinkSettings;
  /**
   * Further interfaces outside, 15 at most, each with an address and a way out of its own: what is sent inside to the
   * address of one arrives by its way. NAMEo1 has the 9th address after the network's first, NAMEo2 the 17th, and so on.
   */
  readonly moreUplinks?: readonly LinkSettings[];
  /** Of the bottleneck's queue, and of the uplink's. */
  readonly threshold?: Threshold;
  readonly uplinkThreshold?: Threshold;
  /** Who waits in which of a port's queues, both ways; all others in the first. */
  readonly queues?: readonly QueueChoice[];
  /** Of the links' random numbers; 1 unless said. */
  readonly seed?: number;
  /** The UDP port of the collector, which runs in the caller's network namespace; without it there are no postcards. */
  readonly collectorPort?: number;
  /** In the postcards; 1 unless said. */
  readonly switchId?: number;
}

/** As the switch's configuration has them. Rates are of whole Ethernet frames: an IP packet counts 14 bytes more. */
export interface LinkSettings {
  /** One of these four. */
  readonly rate_bit_s?: number;
  /** Repeated. */
  readonly rate_schedule?: readonly { readonly seconds: number; readonly bit_s: number }[];
  readonly rate_poisson_bit_s?: number;
  /** The path of a mahimahi trace. */
  readonly rate_trace?: string;
  /** Drop-tail: what waits in a queue is at most so many packets and so many bytes. One of them, or both. */
  readonly depth_packets?: number;
  readonly depth_bytes?: number;
  /** A token bucket in front of the queues, which drops; both or none. */
  readonly police_bit_s?: number;
  readonly police_burst_bytes?: number;
  /** Weighted round robin between so many queues; `queues` says who waits in which. */
  readonly weights?: readonly number[];
  /** One way. */
  readonly delay_ns?: number;
  /** At most the delay: a frame's is uniformly distributed, so much below and above it. */
  readonly jitter_ns?: number;
  /** Frames set out together, every so many nanoseconds. */
  readonly gather_ns?: number;
  /** Random, 0 to 1. */
  readonly loss?: number;
}

/**
 * What the program does in egress to a packet that found more than so many in its queue. `drop-front` goes by those that
 * wait when it leaves: while they are more, the oldest is dropped.
 */
interface Threshold {
  readonly packets: number;
  readonly action: keyof typeof ACTIONS;
}

/** IPv4 packets from these ports of TCP or UDP wait in the queue of this number. */
interface QueueChoice {
  readonly source_port: number;
  readonly queue: number;
}

export interface PathEnd {
  readonly interface: string;
  readonly mac: string;
  readonly address: string;
}

/** The ports of the switch; those of further interfaces outside follow. */
export const PATH_PORTS = { outside: 1, inside: 2, collector: 3 } as const;
const MORE_PORTS = 4;
const MOST_MORE = 15;

export interface Path {
  readonly device: LiveSwitch;
  readonly outsideAddress: string;
  readonly insideAddress: string;
  /** Where what is sent inside leaves the outside. */
  readonly outsideInterface: string;
  /** All interfaces outside, the first one too. */
  readonly outsides: readonly PathEnd[];
  readonly insideInterface: string;
  /** From here on packets from this port of TCP or UDP wait in the queue of this number. */
  choose(choice: QueueChoice): Promise<void>;
  status(): Promise<LiveStatus>;
  /** Takes the path away, and returns the last counts. */
  stop(): Promise<LiveStatus>;
}

const PROGRAM = join(import.meta.dirname, '../../programs/bottleneck.p4');
/** The program's policies. */
const ACTIONS = { drop: 1, mark: 2, 'drop-front': 3 };
const PREFIX = '/30';
/** After a time without a processor the switch lets many packets go at once, and all their postcards wait together. */
const POSTCARDS_WAITING = 16_384;

/** Makes the path, and forwards until it is stopped; if anything fails, nothing is left behind. `thread` is for benchmarks. */
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
    // The caller's own namespace keeps its default route.
    if (inside !== undefined)
      ip(inside, 'route', 'add', 'default', 'via', ends.outside.address, 'dev', ends.inside.interface);
    for (const { interface: name, address, mac } of moreEnds(options)) {
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
    outsides: [ends.outside, ...moreEnds(options)],
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

function moreEnds({ name, network, moreUplinks = [] }: PathOptions): PathEnd[] {
  const last = Number(network.split('.')[3]);
  if (moreUplinks.length > MOST_MORE || (moreUplinks.length > 0 && last !== 0))
    throw new Error(
      `the path has ${moreUplinks.length} further ways out from ${network}, but may have ${MOST_MORE}, from an address that ends in 0`,
    );
  return moreUplinks.map((_, index) => ({
    interface: `${name}o${index + 1}`,
    mac: `02:00:00:00:01:${(index + 1).toString(16).padStart(2, '0')}`,
    address: network.replace(/[0-9]+$/, String(8 * (index + 1) + 1)),
  }));
}

/** The switch's configuration, as its JSON file would have it. */
export function pathConfig(options: PathOptions): object {
  const { outside, inside, bottleneck, uplink, queues = [], seed, collectorPort, switchId = 1 } = options;
  const ends = addresses(options);
  const { outside: out, inside: into, collector } = PATH_PORTS;
  const more = moreEnds(options).map((end, index) => ({ end, port: MORE_PORTS + index }));
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
        [collector]: { ...place(ends.collector, undefined), depth_packets: POSTCARDS_WAITING },
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
    registers: [...registersOf(into, options.threshold), ...registersOf(out, options.uplinkThreshold)],
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

const registersOf = (port: number, threshold: Threshold | undefined): object[] =>
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

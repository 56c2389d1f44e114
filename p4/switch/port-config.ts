import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Field, Fields } from './field.ts';
import type { RateSettings } from './link/rate.ts';
import { parseTrace } from './link/trace.ts';
import type { WireSettings } from './link/wires.ts';
import type { PortSettings } from './traffic-manager.ts';

export interface PortConfig extends PortSettings, WireSettings {
  /** The TAP interface that live mode makes for the port, and the network namespace it is moved to. */
  readonly interface: string | undefined;
  readonly namespace: string | undefined;
  /** Its MAC address; the kernel picks one if it is missing. */
  readonly mac: string | undefined;
  /** False for an interface without an IPv6 address of its own, which sends nothing by itself. */
  readonly ipv6: boolean;
}

/** The rate is one of these; a constant one may have both of the first two. */
const RATE_FIELDS = ['rate_bit_s', 'rate_packets_s', 'rate_schedule', 'rate_poisson_bit_s', 'rate_trace'];
const QUEUE_FIELDS = ['depth_packets', 'depth_bytes', 'weights', 'police_bit_s', 'police_burst_bytes'];
const WIRE_FIELDS = ['delay_ns', 'jitter_ns', 'gather_ns', 'loss'];
const PORT_FIELDS = [
  'interface',
  'namespace',
  'mac',
  'ipv6',
  ...RATE_FIELDS,
  ...QUEUE_FIELDS,
  ...WIRE_FIELDS,
];

const FASTEST_BIT_S = 1e12;
/** An hour. */
const LONGEST_NS = 3.6e12;
const MOST_QUEUES = 8;
const MOST_STEPS = 100_000;

/** A port of the configuration; an error names the field, its value and what was expected. Paths count from `folder`. */
export function parsePort(field: Field, folder: string): PortConfig {
  const given = field.object(PORT_FIELDS);
  const rate = parseRate(given, field, folder);
  return {
    interface: given.optional('interface')?.text(),
    namespace: given.optional('namespace')?.text(),
    mac: given.optional('mac')?.text(),
    ipv6: given.optional('ipv6')?.boolean() ?? true,
    ...(rate && { rate }),
    ...parseQueues(given),
    ...parseWire(given),
  };
}

function parseRate(given: Fields, field: Field, folder: string): RateSettings | undefined {
  const positive = (name: string) => given.optional(name)?.above0(FASTEST_BIT_S);
  const [bitsPerSecond, packetsPerSecond] = [positive('rate_bit_s'), positive('rate_packets_s')];
  const constant = bitsPerSecond !== undefined || packetsPerSecond !== undefined;
  const poisson = positive('rate_poisson_bit_s');
  const [schedule, trace] = [given.optional('rate_schedule'), given.optional('rate_trace')];
  const kinds = [constant, schedule !== undefined, poisson !== undefined, trace !== undefined];
  if (kinds.filter(Boolean).length > 1) field.wrong('a port with one rate');
  if (schedule) return parseSchedule(schedule);
  if (trace) return parseTraceFile(trace, folder);
  if (poisson !== undefined) return { kind: 'poisson', bitsPerSecond: poisson };
  if (!constant) return undefined;
  return {
    kind: 'constant',
    ...(bitsPerSecond !== undefined && { bitsPerSecond }),
    ...(packetsPerSecond !== undefined && { packetsPerSecond }),
  };
}

function parseSchedule(field: Field): RateSettings {
  const steps = field.elements().map((element) => {
    const step = element.object(['seconds', 'bit_s']);
    return {
      seconds: step.get('seconds').above0(1e6),
      bitsPerSecond: step.get('bit_s').above0(FASTEST_BIT_S),
    };
  });
  if (steps.length === 0 || steps.length > MOST_STEPS) field.wrong(`a list of 1 to ${MOST_STEPS} steps`);
  return { kind: 'schedule', steps };
}

function parseTraceFile(field: Field, folder: string): RateSettings {
  const path = resolve(folder, field.text());
  if (!existsSync(path)) field.wrong('the path of a mahimahi trace');
  const { opportunities_ms, duration_ms } = parseTrace(readFileSync(path, 'utf8'), path);
  return { kind: 'trace', opportunities_ms, duration_ms };
}

function parseQueues(given: Fields): PortSettings {
  const depthPackets = given.optional('depth_packets')?.whole(1, 1e9);
  const depthBytes = given.optional('depth_bytes')?.whole(1, 1e12);
  const listed = given.optional('weights');
  const weights = listed?.elements().map((weight) => weight.whole(1, 1000));
  if (listed && (weights?.length === 0 || (weights?.length ?? 0) > MOST_QUEUES))
    listed.wrong(`a list of 1 to ${MOST_QUEUES} weights`);
  const policed = given.optional('police_bit_s')?.above0(FASTEST_BIT_S);
  const burst = given.optional('police_burst_bytes')?.whole(1, 1e12);
  if ((policed === undefined) !== (burst === undefined))
    given
      .optional(policed === undefined ? 'police_burst_bytes' : 'police_bit_s')
      ?.wrong('with the other one of police_bit_s and police_burst_bytes');
  return {
    ...(policed !== undefined &&
      burst !== undefined && { policer: { bitsPerSecond: policed, burstBytes: burst } }),
    ...(depthPackets !== undefined && { depthPackets }),
    ...(depthBytes !== undefined && { depthBytes }),
    ...(weights && { weights }),
  };
}

function parseWire(given: Fields): WireSettings {
  const delay_ns = given.optional('delay_ns')?.whole(0, LONGEST_NS);
  const jitter_ns = given.optional('jitter_ns')?.whole(0, delay_ns ?? 0);
  const gather_ns = given.optional('gather_ns')?.whole(0, LONGEST_NS);
  const loss = given.optional('loss')?.share();
  return {
    ...(delay_ns !== undefined && { delay_ns }),
    ...(jitter_ns !== undefined && { jitter_ns }),
    ...(gather_ns !== undefined && { gather_ns }),
    ...(loss !== undefined && { loss }),
  };
}

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Field, Fields } from './field.ts';
import type { RateSettings } from './link/rate.ts';
import { parseTrace } from './link/trace.ts';
import type { WireSettings } from './link/wires.ts';
import type { PortSettings } from './traffic-manager.ts';

export interface PortConfig extends PortSettings, WireSettings {
  /** In live mode, the port's TAP interface and the network namespace that it is moved into. */
  readonly interface: string | undefined;
  readonly namespace: string | undefined;
  /** The interface's MAC address; the kernel picks one if it is undefined. */
  readonly mac: string | undefined;
  /** Whether the interface gets an IPv6 address. Without an address, the interface sends no packets of its own. */
  readonly ipv6: boolean;
}

/**
 * The fields that set a rate. They exclude each other, except that a constant rate may have both of the first two
 * fields.
 */
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

const MAX_BIT_S = 1e12;
/** One hour. */
const MAX_DELAY_NS = 3.6e12;
const MAX_QUEUES = 8;
const MAX_STEPS = 100_000;

/**
 * Parses a port of the configuration. An error names the field, its value and the expected value. `folder` is the base
 * of relative paths.
 */
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
  const positive = (name: string) => given.optional(name)?.positive(MAX_BIT_S);
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
      seconds: step.get('seconds').positive(1e6),
      bitsPerSecond: step.get('bit_s').positive(MAX_BIT_S),
    };
  });
  if (steps.length === 0 || steps.length > MAX_STEPS) field.wrong(`a list of 1 to ${MAX_STEPS} steps`);
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
  if (listed && (weights?.length === 0 || (weights?.length ?? 0) > MAX_QUEUES))
    listed.wrong(`a list of 1 to ${MAX_QUEUES} weights`);
  const policed = given.optional('police_bit_s')?.positive(MAX_BIT_S);
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
  const delay_ns = given.optional('delay_ns')?.whole(0, MAX_DELAY_NS);
  const jitter_ns = given.optional('jitter_ns')?.whole(0, delay_ns ?? 0);
  const gather_ns = given.optional('gather_ns')?.whole(0, MAX_DELAY_NS);
  const loss = given.optional('loss')?.share();
  return {
    ...(delay_ns !== undefined && { delay_ns }),
    ...(jitter_ns !== undefined && { jitter_ns }),
    ...(gather_ns !== undefined && { gather_ns }),
    ...(loss !== undefined && { loss }),
  };
}

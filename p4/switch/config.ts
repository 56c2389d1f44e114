/* One JSON file says what a switch is: its program, its ports, and what its control plane puts into it. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ControlPlane, KeyText } from './control-plane.ts';

import type { PortSettings } from './traffic-manager.ts';
import type { MulticastNode, V1Switch } from './v1model.ts';

export interface PortConfig extends PortSettings {
  /** The TAP interface that live mode makes for the port, and the network namespace it is moved to. */
  readonly interface: string | undefined;
  readonly namespace: string | undefined;
  /** Its MAC address; the kernel picks one if it is missing. */
  readonly mac: string | undefined;
  /** False for an interface without an IPv6 address of its own, which sends nothing by itself. */
  readonly ipv6: boolean;
}

interface Entry {
  readonly table: string;
  readonly keys: readonly KeyText[];
  readonly action: string;
  readonly args: readonly KeyText[];
  readonly priority: number;
}

export interface SwitchConfig {
  /** The path of the P4 program. */
  readonly program: string;
  readonly ports: ReadonlyMap<number, PortConfig>;
  readonly priorities: number;
  readonly entries: readonly Entry[];
  readonly defaults: readonly Entry[];
  readonly registers: readonly { name: string; index: number; value: bigint }[];
  readonly mirrors: readonly { session: number; port: number }[];
  readonly groups: readonly { group: number; nodes: MulticastNode[] }[];
  /** The TCP port on loopback where registers and counters can be read while the switch runs. */
  readonly controlPort: number | undefined;
}

export function readConfig(path: string): SwitchConfig {
  const text = readFileSync(path, 'utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
  return parseConfig(json, dirname(path));
}

const PORT_FIELDS = [
  'interface',
  'namespace',
  'mac',
  'ipv6',
  'rate_bit_s',
  'rate_packets_s',
  'depth_packets',
  'depth_bytes',
];
const FIELDS = [
  'program',
  'ports',
  'priorities',
  'entries',
  'defaults',
  'registers',
  'mirrors',
  'multicast',
  'control_port',
];
const MAX_PORT = 510;

/** Checks everything; an error names the field, its value and what was expected. */
export function parseConfig(json: unknown, folder = '.'): SwitchConfig {
  const root = new Field('the configuration', json).object(FIELDS);
  const ports = new Map<number, PortConfig>();
  for (const [number, field] of root.get('ports').entries()) {
    const port = new Field(`the port '${number}'`, Number(number)).whole(0, MAX_PORT);
    const given = field.object(PORT_FIELDS);
    const positive = (name: string): number | undefined =>
      given.optional(name)?.number(Number.MIN_VALUE, 1e12);
    const rate = positive('rate_bit_s');
    const packets = positive('rate_packets_s');
    const depth = given.optional('depth_packets')?.whole(1, 1e9);
    const bytes = given.optional('depth_bytes')?.whole(1, 1e12);
    ports.set(port, {
      interface: given.optional('interface')?.text(),
      namespace: given.optional('namespace')?.text(),
      mac: given.optional('mac')?.text(),
      ipv6: given.optional('ipv6')?.boolean() ?? true,
      ...(rate !== undefined && { rateBitsPerSecond: rate }),
      ...(packets !== undefined && { ratePacketsPerSecond: packets }),
      ...(depth !== undefined && { depthPackets: depth }),
      ...(bytes !== undefined && { depthBytes: bytes }),
    });
  }
  /** Of a port that is there: what is sent to another is lost. */
  const portOf = (field: Field): number => {
    const port = field.whole(0, MAX_PORT);
    return ports.has(port) ? port : field.wrong(`one of the ports ${[...ports.keys()].join(', ')}`);
  };
  return {
    program: resolve(folder, root.get('program').text()),
    ports,
    priorities: root.optional('priorities')?.whole(1, 8) ?? 1,
    entries: root
      .list('entries')
      .map((field) => entry(field, ['table', 'keys', 'action', 'args', 'priority'])),
    defaults: root.list('defaults').map((field) => entry(field, ['table', 'action', 'args'])),
    registers: root.list('registers').map((field) => {
      const given = field.object(['name', 'index', 'value']);
      const index = given.get('index').whole(0, 2 ** 32);
      return {
        name: given.get('name').text(),
        index,
        value: BigInt(given.get('value').whole(0, 2 ** 53 - 1)),
      };
    }),
    mirrors: root.list('mirrors').map((field) => {
      const given = field.object(['session', 'port']);
      return { session: given.get('session').whole(0, 2 ** 32), port: portOf(given.get('port')) };
    }),
    groups: root.list('multicast').map((field) => {
      const given = field.object(['group', 'nodes']);
      const nodes = given.list('nodes').map((node) => {
        const parts = node.object(['rid', 'ports']);
        const ports = parts.list('ports').map(portOf);
        return { rid: parts.get('rid').whole(0, 65_535), ports };
      });
      return { group: given.get('group').whole(1, 65_535), nodes };
    }),
    controlPort: root.optional('control_port')?.whole(1, 65_535),
  };
}

/** Puts the configured entries, registers, mirrors and groups into a switch. */
export function configure(device: V1Switch, plane: ControlPlane, config: SwitchConfig): void {
  for (const { table, keys, action, args, priority } of config.entries)
    plane.add(table, keys, action, args, priority);
  for (const { table, action, args } of config.defaults) plane.setDefault(table, action, args);
  for (const { name, index, value } of config.registers) plane.writeRegister(name, index, value);
  for (const { session, port } of config.mirrors) device.mirrors.set(session, { port });
  for (const { group, nodes } of config.groups) device.groups.set(group, nodes);
}

function entry(field: Field, names: string[]): Entry {
  const given = field.object(names);
  const pairs = (name: string): KeyText[] =>
    (given.optional(name)?.entries() ?? []).map(([key, value]) => ({ name: key, value: value.numberText() }));
  return {
    table: given.get('table').text(),
    keys: names.includes('keys') ? pairs('keys') : [],
    action: given.get('action').text(),
    args: pairs('args'),
    priority: names.includes('priority') ? (given.optional('priority')?.whole(0, 2 ** 31) ?? 0) : 0,
  };
}

/** A value of the configuration and where it stands. */
class Field {
  private readonly where: string;
  private readonly value: unknown;

  constructor(where: string, value: unknown) {
    this.where = where;
    this.value = value;
  }

  entries(): [string, Field][] {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.wrong('an object');
    return Object.entries(value).map(([key, each]) => [key, new Field(`${this.where}: ${key}`, each)]);
  }

  object(known: readonly string[]): Fields {
    const entries = this.entries();
    for (const [key] of entries)
      if (!known.includes(key))
        throw new Error(`${this.where} has the unknown field '${key}'; it may have ${known.join(', ')}`);
    return new Fields(this.where, new Map(entries));
  }

  elements(): Field[] {
    if (!Array.isArray(this.value)) return this.wrong('a list');
    return this.value.map((each, at) => new Field(`${this.where}[${at}]`, each));
  }

  text(): string {
    return typeof this.value === 'string' && this.value !== '' ? this.value : this.wrong('a text');
  }

  boolean(): boolean {
    return typeof this.value === 'boolean' ? this.value : this.wrong('true or false');
  }

  /** A number, or a text that is one in the control plane's notation. */
  numberText(): string {
    return typeof this.value === 'number' ? String(this.whole(0, Number.MAX_SAFE_INTEGER)) : this.text();
  }

  number(least: number, most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || !(value >= least && value <= most))
      return this.wrong(`a number up to ${most}, above 0`);
    return value;
  }

  whole(least: number, most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most)
      return this.wrong(`a whole number from ${least} to ${most}`);
    return value;
  }

  wrong(expected: string): never {
    throw new Error(`${this.where} is ${JSON.stringify(this.value)}, but must be ${expected}`);
  }
}

class Fields {
  private readonly where: string;
  private readonly fields: ReadonlyMap<string, Field>;

  constructor(where: string, fields: ReadonlyMap<string, Field>) {
    this.where = where;
    this.fields = fields;
  }

  get(name: string): Field {
    return this.fields.get(name) ?? new Field(`${this.where}: ${name}`, null);
  }

  optional(name: string): Field | undefined {
    return this.fields.get(name);
  }

  list(name: string): Field[] {
    return this.fields.get(name)?.elements() ?? [];
  }
}

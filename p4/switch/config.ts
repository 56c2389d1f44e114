/*
 * Reads the JSON file that configures a switch: its program, its ports, and the initial state of tables and registers.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ControlPlane, KeyText } from './control-plane.ts';
import { Field } from './field.ts';
import { parsePort, type PortConfig } from './port-config.ts';
import type { MulticastNode, V1Switch } from './v1model.ts';

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
  /** Seed of the random numbers of the ports' links. */
  readonly seed: number;
  readonly entries: readonly Entry[];
  readonly defaults: readonly Entry[];
  readonly registers: readonly { name: string; index: number; value: bigint }[];
  readonly mirrors: readonly { session: number; port: number }[];
  readonly groups: readonly { group: number; nodes: MulticastNode[] }[];
  /** The TCP port on loopback where a running switch can be read, and its registers written. */
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

const FIELDS = [
  'program',
  'ports',
  'priorities',
  'seed',
  'entries',
  'defaults',
  'registers',
  'mirrors',
  'multicast',
  'control_port',
];
const MAX_PORT = 510;

/**
 * Validates a configuration. An error names the field, its value and the expected value. `folder` is the base of
 * relative paths.
 */
export function parseConfig(json: unknown, folder = '.'): SwitchConfig {
  const root = new Field('the configuration', json).object(FIELDS);
  const ports = new Map<number, PortConfig>();
  for (const [number, field] of root.get('ports').entries()) {
    const port = new Field(`the port '${number}'`, Number(number)).whole(0, MAX_PORT);
    ports.set(port, parsePort(field, folder));
  }
  /** The port must be configured, because the switch drops packets for unknown ports. */
  const parseExistingPort = (field: Field): number => {
    const port = field.whole(0, MAX_PORT);
    return ports.has(port) ? port : field.wrong(`one of the ports ${[...ports.keys()].join(', ')}`);
  };
  return {
    program: resolve(folder, root.get('program').text()),
    ports,
    priorities: root.optional('priorities')?.whole(1, 8) ?? 1,
    seed: root.optional('seed')?.whole(0, 2 ** 31) ?? 1,
    entries: root
      .list('entries')
      .map((field) => parseEntry(field, ['table', 'keys', 'action', 'args', 'priority'])),
    defaults: root.list('defaults').map((field) => parseEntry(field, ['table', 'action', 'args'])),
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
      return { session: given.get('session').whole(0, 2 ** 32), port: parseExistingPort(given.get('port')) };
    }),
    groups: root.list('multicast').map((field) => {
      const given = field.object(['group', 'nodes']);
      const nodes = given.list('nodes').map((node) => {
        const parts = node.object(['rid', 'ports']);
        const ports = parts.list('ports').map(parseExistingPort);
        return { rid: parts.get('rid').whole(0, 65_535), ports };
      });
      return { group: given.get('group').whole(1, 65_535), nodes };
    }),
    controlPort: root.optional('control_port')?.whole(1, 65_535),
  };
}

/** Applies the configured entries, registers, mirrors and groups to a switch. */
export function configure(device: V1Switch, plane: ControlPlane, config: SwitchConfig): void {
  for (const { table, keys, action, args, priority } of config.entries)
    plane.add(table, keys, action, args, priority);
  for (const { table, action, args } of config.defaults) plane.setDefault(table, action, args);
  for (const { name, index, value } of config.registers) plane.writeRegister(name, index, value);
  for (const { session, port } of config.mirrors) device.mirrors.set(session, { port });
  for (const { group, nodes } of config.groups) device.groups.set(group, nodes);
}

function parseEntry(field: Field, names: string[]): Entry {
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

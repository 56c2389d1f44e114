/*
 * Runs a test in the simple test format (STF) of the P4 compilers against a program in the switch, in virtual time.
 * Follows the compilers' runner for BMv2:
 *
 * - On every port that the test names, packets are compared in order; packets on other ports are ignored.
 *
 * - A wrong number of packets on a port is a difference, unless `expect` has no data, which accepts anything.
 *
 * - If several entries match, the one with the highest priority applies.
 */
import type { Compiled } from './compiler/compile.ts';
import { ControlPlane } from './switch/control-plane.ts';
import type { KeyText } from './switch/control-plane.ts';
import { V1Switch } from './switch/v1model.ts';

interface StfResult {
  readonly passed: boolean;
  /** One line that describes the first difference. */
  readonly difference: string | undefined;
  /** Commands that failed without being a difference, such as an entry that could not be added. */
  readonly warnings: readonly string[];
}

/** Nanoseconds between two packets. */
const PACKET_INTERVAL_NS = 1e6;

/** Thrown when a test uses a command that this runner does not support. */
export class UnsupportedCommand extends Error {}

export function runStf(compiled: Compiled, text: string): StfResult {
  const test = new StfRun(compiled);
  for (const [at, line] of text.split('\n').entries()) test.command(line, at + 1);
  return test.finish();
}

class StfRun {
  private readonly expected = new Map<number, string[]>();
  private readonly received = new Map<number, string[]>();
  /** The ports that the test names; others are not compared. */
  private readonly named = new Set<number>();
  private readonly warnings: string[] = [];
  private readonly device: V1Switch;
  private readonly plane: ControlPlane;
  private readonly nodes: { rid: number; ports: number[] }[] = [];
  private now = 0;
  private failure: string | undefined;

  constructor(compiled: Compiled) {
    this.device = new V1Switch(compiled, {
      random: reproducibleRandom(),
      transmit: (port, bytes) => getOrMakeList(this.received, port).push(toHex(bytes)),
      onFailure: (message) => (this.failure ??= `the switch stopped: ${message}`),
    });
    this.plane = new ControlPlane(compiled.program, this.device.runtime);
  }

  command(line: string, number: number): void {
    const text = line.replace(/#.*$/, '').trim();
    if (!text) return;
    const [word = '', ...rest] = text.split(/\s+/);
    const at = `line ${number}`;
    switch (word.toLowerCase()) {
      case 'packet': {
        this.packet(rest, at);
        return;
      }
      case 'expect': {
        const port = parsePortNumber(rest[0], at);
        this.named.add(port);
        getOrMakeList(this.expected, port).push(rest.slice(1).join('').toUpperCase());
        return;
      }
      case 'no_packet':
      case 'wait':
        return;
      case 'add':
      case 'setdefault': {
        this.warnOnError(at, () => {
          this.entry(
            word.toLowerCase(),
            text
              .slice(word.length)
              .replaceAll(/\s*:\s*/g, ':')
              .trim(),
            at,
          );
        });
        return;
      }
      default: {
        this.configure(word.toLowerCase(), rest, at);
        return;
      }
    }
  }

  finish(): StfResult {
    const difference = this.failure ?? this.firstDifference();
    return { passed: difference === undefined, difference, warnings: this.warnings };
  }

  private packet(words: string[], at: string): void {
    const port = parsePortNumber(words[0], at);
    const data = words.slice(1).join('');
    if (!/^([0-9a-f]{2})*$/i.test(data)) throw new Error(`${at}: '${data}' is not a packet in hexadecimal`);
    this.named.add(port);
    this.now += PACKET_INTERVAL_NS;
    this.device.receive(port, Uint8Array.from(Buffer.from(data, 'hex')), this.now);
    this.device.advance(Infinity);
  }

  /** Runs a command; a failure becomes a warning. BMv2's command line also reports errors and continues. */
  private warnOnError(at: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      if (!(error instanceof Error) || error instanceof TypeError) throw error;
      this.warnings.push(`${at}: ${error.message}`);
    }
  }

  private entry(word: string, text: string, at: string): void {
    const open = text.indexOf('(');
    const close = text.indexOf(')', open);
    if (open < 0 || close < 0) throw new Error(`${at}: an entry must end in action(...)`);
    const words = text.slice(0, open).trim().split(/\s+/);
    const args = text
      .slice(open + 1, close)
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean)
      .map(parsePair);
    const [table = '', ...middle] = words;
    const action = middle.pop() ?? '';
    if (word === 'setdefault') {
      this.plane.setDefault(table, action, args);
      return;
    }
    const priority = /^[0-9]+$/.test(middle[0] ?? '') ? Number(middle.shift()) : 0;
    this.plane.add(table, middle.map(parsePair), action, args, priority);
  }

  private configure(word: string, rest: string[], at: string): void {
    const numbers = rest.map(Number);
    const [first = NaN, second = NaN] = numbers;
    switch (word) {
      case 'mirroring_add':
        this.device.mirrors.set(first, { port: second });
        return;
      case 'mirroring_add_mc':
        this.device.mirrors.set(first, { group: second });
        return;
      case 'mirroring_delete':
        this.device.mirrors.delete(first);
        return;
      case 'mirroring_get':
        return;
      case 'mc_mgrp_create':
        this.device.groups.set(first, []);
        return;
      case 'mc_node_create':
        this.nodes.push({ rid: first, ports: numbers.slice(1) });
        return;
      case 'mc_node_update': {
        const node = this.nodes[first];
        if (node) node.ports = numbers.slice(1);
        return;
      }
      case 'mc_node_associate': {
        const node = this.nodes[second];
        const group = this.device.groups.get(first);
        if (!node || !group) {
          this.warnOnError(at, () => {
            throw new Error(`there is no multicast group ${first} or no node ${second}`);
          });
          return;
        }
        group.push(node);
        return;
      }
      case 'register_write': {
        this.warnOnError(at, () => {
          this.plane.register(rest[0] ?? '').set(Number(rest[1]), BigInt(rest[2] ?? '0'));
        });
        return;
      }
      case 'register_reset': {
        this.warnOnError(at, () => this.plane.register(rest[0] ?? '').reset());
        return;
      }
      case 'register_read': {
        this.warnOnError(at, () => void this.plane.register(rest[0] ?? ''));
        return;
      }
      case 'counter_read': {
        this.warnOnError(at, () => void this.plane.counts(rest[0] ?? '', Number(rest[1])));
        return;
      }
      case 'meter_set_rates': {
        this.warnOnError(at, () =>
          this.plane.meter(rest[0] ?? '').setRates(Number(rest[1]), rest.slice(2).map(parseMeterRate)),
        );
        return;
      }
      case 'meter_get_rates': {
        this.warnOnError(at, () => void this.plane.meter(rest[0] ?? ''));
        return;
      }
      case 'check_counter': {
        this.checkCounter(rest.join(' '), at);
        return;
      }
      case 'remove':
        throw new UnsupportedCommand(`the test command 'remove' (${at})`);
      default:
        throw new UnsupportedCommand(`the test command '${word}' (${at})`);
    }
  }

  /** `check_counter name(index) packets == 2`; without a comparison, the counter only has to exist. */
  private checkCounter(text: string, at: string): void {
    const [, name = '', index = '0', kind = 'packets', operator = '>=', value = '0'] =
      /^([\w.]+)\s*\(\s*([0-9]+)\s*\)\s*(?:(packets|bytes)\s*(==|!=|<=|<|>=|>)\s*([0-9]+))?$/.exec(text) ??
      [];
    if (!name) throw new UnsupportedCommand(`this form of check_counter (${at})`);
    const count = this.plane.counts(name, Number(index))[kind === 'bytes' ? 'bytes' : 'packets'];
    const wanted = Number(value);
    const holds: Record<string, boolean> = {
      '==': count === wanted,
      '!=': count !== wanted,
      '<': count < wanted,
      '<=': count <= wanted,
      '>': count > wanted,
      '>=': count >= wanted,
    };
    if (!holds[operator])
      this.failure ??= `${at}: ${name}(${index}) ${kind} is ${count}, expected ${operator} ${wanted}`;
  }

  private firstDifference(): string | undefined {
    for (const port of this.named) {
      const packets = this.received.get(port) ?? [];
      const expected = this.expected.get(port) ?? [];
      // All `expect` lines of this port have no data, so any packets are accepted.
      if (expected.length && expected.every((pattern) => !pattern)) continue;
      for (const [at, pattern] of expected.entries()) {
        const packet = packets[at];
        if (packet === undefined) break;
        const difference = compare(pattern, packet);
        if (difference) return `packet ${at + 1} on port ${port}: ${difference}`;
      }
      if (packets.length !== expected.length)
        return `port ${port}: expected ${expected.length} packets, got ${packets.length}${packets.length > expected.length ? `, first too many ${packets[expected.length] ?? ''}` : ''}`;
    }
    return undefined;
  }
}

function getOrMakeList(map: Map<number, string[]>, port: number): string[] {
  const list = map.get(port) ?? [];
  map.set(port, list);
  return list;
}

/**
 * Compares a packet with a pattern: a prefix is enough; `*` matches any nibble; `$` at the end requires the exact
 * length; an empty pattern matches anything. Returns the difference, if any.
 */
export function compare(pattern: string, packet: string): string | undefined {
  const exact = pattern.endsWith('$');
  const wanted = exact ? pattern.slice(0, -1) : pattern;
  if (packet.length < wanted.length)
    return `expected at least ${wanted.length / 2} bytes, got ${packet.length / 2}: ${packet}`;
  for (let at = 0; at < wanted.length; at++)
    if (wanted[at] !== '*' && wanted[at] !== packet[at])
      return `byte ${at >> 1} is ${packet.slice(at & ~1, (at & ~1) + 2)}, expected ${wanted.slice(at & ~1, (at & ~1) + 2)}; got ${packet}`;
  if (exact && packet.length !== wanted.length)
    return `expected exactly ${wanted.length / 2} bytes, got ${packet.length / 2}: ${packet}`;
  return undefined;
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** Parses `name:value`; the name may contain colons within brackets, as in `hdr.f[7:0]:3`. */
function parsePair(text: string): KeyText {
  const [, name, value] = /^((?:[^:[\]]|\[[^\]]*\])+):(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new Error(`'${text}' does not have the form name:value`);
  return { name, value };
}

/** Parses `0.001:4`: units (packets or bytes) per microsecond, and the burst. */
function parseMeterRate(text: string): { rate: number; burst: number } {
  const [rate = NaN, burst = NaN] = text.split(':').map(Number);
  if (!(rate >= 0) || !(burst >= 0)) throw new Error(`'${text}' is not a rate, such as 0.001:4`);
  return { rate, burst };
}

function parsePortNumber(text: string | undefined, at: string): number {
  if (!text || !/^[0-9]+$/.test(text)) throw new Error(`${at}: '${text ?? ''}' is not a port`);
  return Number(text);
}

/** Returns a generator of the same random numbers in every run: a linear congruential generator (Numerical Recipes). */
function reproducibleRandom(): () => number {
  let state = 1;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

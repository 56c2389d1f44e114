/*
 * Measures the CPU time per packet without the kernel: the P4 program and a plain forwarder take turns to forward
 * frames in memory.
 */
import { compileFile } from '../compiler/compile.ts';
import { configure, parseConfig } from '../switch/config.ts';
import { ControlPlane } from '../switch/control-plane.ts';
import type { Forwarder } from '../switch/live/live-loop.ts';
import { PATH_PORTS, pathConfig } from '../switch/live/path.ts';
import { V1Switch } from '../switch/v1model.ts';
import { PlainForwarder } from './plain-forwarder.ts';

export interface InMemory {
  readonly plain_ns: number;
  readonly program_ns: number;
  readonly postcards_ns: number;
}

const FRAMES = 200_000;
const ROUNDS = 5;
/**
 * Nanoseconds between two arrivals: about a packet's transmission time on the link, so that the queue is short but not
 * empty.
 */
const INTERVAL = 12_112;
const LINK = { rate_bit_s: 1e9, depth_packets: 64 };

/**
 * Measures the nanoseconds per packet of each forwarder: the minimum of several rounds, because other processes on the
 * machine can only add time.
 */
export function benchInMemory(): InMemory {
  const path = { name: 'bench', inside: 'bench', network: '10.213.0.0', bottleneck: LINK };
  const forwarders = {
    plain_ns: plain(pathConfig(path)),
    program_ns: program(pathConfig(path)),
    postcards_ns: program(pathConfig({ ...path, collectorPort: 1 })),
  };
  const best = { plain_ns: Infinity, program_ns: Infinity, postcards_ns: Infinity };
  let now = 0;
  for (let round = 0; round < ROUNDS; round++)
    for (const name of ['plain_ns', 'program_ns', 'postcards_ns'] as const) {
      const forwarder = forwarders[name];
      const began = performance.now();
      for (let at = 0; at < FRAMES; at++) {
        now += INTERVAL;
        forwarder.advance(now);
        forwarder.receive(PATH_PORTS.outside, SEGMENT.slice(), now);
      }
      best[name] = Math.min(best[name], ((performance.now() - began) * 1e6) / FRAMES);
    }
  for (const { counts } of Object.values(forwarders))
    if (counts.transmitted === 0) throw new Error('the benchmark sent frames that were not forwarded');
  return best;
}

/** A full TCP segment with timestamps: 1514 bytes, with a correct IP header checksum. */
const SEGMENT = ((): Uint8Array => {
  const frame = Buffer.alloc(1514);
  // Total length 1500; ~(4500 + 05dc + 4000 + 4006 + 0a00 + 0001 + 0a00 + 0002) = 211a
  frame.write('0200000000020200000000010800450005dc000040004006211a0a0000010a000002', 'hex');
  frame.write('1f90c35011223344556677888010ffff', 34, 'hex');
  return frame;
})();

const ignore = (): void => undefined;

function plain(config: object): Forwarder {
  const pairs = new Map<number, number>([[PATH_PORTS.outside, PATH_PORTS.inside]]);
  return new PlainForwarder(parseConfig(config).ports, pairs, ignore);
}

function program(json: object): Forwarder {
  const config = parseConfig(json);
  const device = new V1Switch(compileFile(config.program), {
    ports: config.ports,
    random: Math.random,
    transmit: ignore,
  });
  configure(device, new ControlPlane(device.compiled.program, device.runtime), config);
  return device;
}

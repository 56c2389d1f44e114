import {
  VIRTUAL_CONTROLS,
  type VirtualControl,
} from '../../../../../buffers/packets/controls/control-named.ts';
import { kernels } from '../../../../../buffers/packets/kernel-rules.ts';
import { startFlows } from '../../../../../buffers/packets/simulate-flows.ts';
import type { Traffic } from '../../../../../buffers/traffic/traffic.ts';
import { meanRenoUtilization } from '../../../../../buffers/theory/single-flow.ts';

export interface BufferSetup {
  readonly buffer_bdp: number;
  readonly flows: number;
  readonly control: VirtualControl;
}

export { VIRTUAL_CONTROLS, type VirtualControl };
export const BUFFERS_BDP = [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2] as const;
export const FLOWS = [1, 2, 4, 8, 16, 32] as const;

/** The rate of a home link and the RTT of its path. Their product is 67 packets of 1,500 bytes. */
export const MBPS = 40;
export const RTT_MS = 20;
const PACKET_BYTES = 1500;
export const BDP_PACKETS = (MBPS * 1000 * RTT_MS) / 8 / PACKET_BYTES;
/** Start of the measurement: slow start and its losses are over by this time. */
export const FROM_S = 10;
export const SECONDS = 25;
const SEED = 1;

export interface Told {
  /** The share of the capacity that was used after `FROM_S`. */
  readonly utilization: number;
  readonly dropped: number;
  /** Pairs of a time in s and the number of waiting packets at that time. */
  readonly queue: readonly (readonly [number, number])[];
  readonly buffer_packets: number;
  /** The theory's prediction for one Reno flow; null for several flows and for other congestion controls. */
  readonly theory: number | null;
}

/** The number of samples in a chart. */
const SAMPLES = 600;

/** Simulates the flows packet by packet. */
export function play({ buffer_bdp, flows, control }: BufferSetup): Told {
  const buffer_packets = Math.max(1, Math.round(buffer_bdp * BDP_PACKETS));
  const traffic: Traffic = {
    rate_bit_s: MBPS * 1e6,
    rtt_ms: [RTT_MS],
    queue: { packets: buffer_packets, at: 'tail' },
    flows: Array.from({ length: flows }, (_, index) => ({
      ...{ congestion_control: control, start_s: (index * 2) / flows, rtt_class: 0 },
      ...{ bytes: null, paced: false, ecn: false },
    })),
    ...{ seconds: SECONDS, from_s: FROM_S },
  };
  const { runTo, queue, packet_ms } = startFlows(traffic, {
    ...{ kernel: kernels['6.1'], seed: SEED, packet_bytes: PACKET_BYTES },
  });
  runTo(FROM_S * 1000);
  const [sent, dropped] = [queue.sent, queue.dropped];
  const sampled: [number, number][] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const at_s = FROM_S + ((SECONDS - FROM_S) * (sample + 1)) / SAMPLES;
    runTo(at_s * 1000);
    sampled.push([at_s, queue.waiting]);
  }
  return {
    utilization: ((queue.sent - sent) * packet_ms) / ((SECONDS - FROM_S) * 1000),
    dropped: queue.dropped - dropped,
    queue: sampled,
    buffer_packets,
    theory: control === 'reno' && flows === 1 ? meanRenoUtilization(buffer_bdp) : null,
  };
}

/** Yields the result in one part, because the simulation takes only about a second. */
export function* playOnce(asked: BufferSetup): Generator<Told> {
  yield play(asked);
}

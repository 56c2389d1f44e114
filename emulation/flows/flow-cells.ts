import { congestionControls } from '../congestion/index.ts';
import { ALGORITHM_NAMES, type AlgorithmName } from '../theory/algorithm.ts';

/**
 * The bottleneck of the experiment: Sammy's 40 Mbit/s (§6), and a round trip that makes the bandwidth-delay product 165
 * packets, as in the paper (§3.6). With a smaller product, bursts of twenty packets would be a large part of it.
 */
export const RATE_BIT_S = 40e6;
/** The switch's delay, half of it each way. */
export const BASE_RTT_MS = 50;
/** An Ethernet frame that carries 1500 bytes of IP, as the switch counts it. */
const FRAME_BYTES = 1514;
export const BDP_PACKETS = (RATE_BIT_S * BASE_RTT_MS) / 1000 / 8 / FRAME_BYTES;

/** Linux's own. */
export const CONGESTION_CONTROLS = ALGORITHM_NAMES.filter((name) => congestionControls[name].ofLinux);
export type CongestionControl = AlgorithmName;

/** The buffers in bandwidth-delay products; 0.43 is Cubic's 3/7. */
export const BUFFERS_BDP = [0.05, 0.1, 0.25, 0.43, 0.5, 1, 2] as const;

/** One long flow through one buffer. */
export interface FlowCell {
  readonly congestionControl: CongestionControl;
  readonly buffer_bdp: number;
}

export const flowCells: readonly FlowCell[] = CONGESTION_CONTROLS.flatMap((congestionControl) =>
  BUFFERS_BDP.map((buffer_bdp) => ({ congestionControl, buffer_bdp })),
);

export const flowCellName = ({ congestionControl, buffer_bdp }: FlowCell): string =>
  `${congestionControl}@${buffer_bdp}bdp`;

export const bufferPackets = ({ buffer_bdp }: FlowCell): number =>
  Math.max(1, Math.round(buffer_bdp * BDP_PACKETS));

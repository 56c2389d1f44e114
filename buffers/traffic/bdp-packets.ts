import { meanOrNull } from '../../emulation/ground/statistics/percentiles.ts';
import type { Traffic } from './traffic.ts';

/** The size that the switch counts for an Ethernet frame with 1500 bytes of IP. */
export const FRAME_BYTES = 1514;

/** Returns the mean of the round trips of all classes. */
export const meanRtt_ms = ({ rtt_ms }: Pick<Traffic, 'rtt_ms'>): number => meanOrNull(rtt_ms) ?? 0;

export const bdpPackets = ({ rate_bit_s, rtt_ms }: Pick<Traffic, 'rate_bit_s' | 'rtt_ms'>): number =>
  (rate_bit_s * meanRtt_ms({ rtt_ms })) / 1000 / 8 / FRAME_BYTES;

import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import type { LinkSize } from '../link-size.ts';
import type { Traffic, TrafficFlow } from '../../traffic/traffic.ts';

/** Long flows of one congestion control that share one buffer. */
export interface Cell {
  readonly congestion: string;
  readonly flows: number;
  readonly buffer_bdp: number;
  /** The action of the switch at a queue of `buffer_bdp`; see `QueueRule`. */
  readonly at: 'tail' | 'drop' | 'mark';
  /**
   * `same`: all flows have the same round trip, as in Updating the Theory of Buffer Sizing. `spread`: the flows have
   * five different round trips, up to 10% shorter and longer.
   */
  readonly rtts: 'same' | 'spread';
  /** Whether one flow starts alone, and the others only after its window has grown. */
  readonly headStart: boolean;
}

const PLAIN: Pick<Cell, 'at' | 'rtts' | 'headStart'> = { at: 'tail', rtts: 'same', headStart: false };

export const makeCell = (
  congestion: string,
  flows: number,
  buffer_bdp: number,
  other: Partial<typeof PLAIN> = {},
): Cell => ({ congestion, flows, buffer_bdp, ...PLAIN, ...other });

export const bufferPackets = ({ buffer_bdp }: Pick<Cell, 'buffer_bdp'>, { bdp_packets }: LinkSize): number =>
  Math.max(1, Math.round(buffer_bdp * bdp_packets));

/** The name of a cell and of its folder, such as `reno-n16-b165` or `reno-n16-b165-mark-spread`. */
export const cellName = (cell: Cell, link: LinkSize): string =>
  [
    cell.congestion,
    `n${cell.flows}`,
    `b${bufferPackets(cell, link)}`,
    ...(cell.at === 'tail' ? [] : [cell.at]),
    ...(cell.rtts === 'same' ? [] : [cell.rtts]),
    ...(cell.headStart ? ['head-start'] : []),
  ].join('-');

/** The five round trips of `spread`, as multiples of the base round trip. */
const SPREAD = [0.9, 0.95, 1, 1.05, 1.1];
/** Flows start within this many base round trips, at times that depend on the seed. */
const STARTS_WITHIN_RTTS = 50;

/** Returns the traffic of a cell. With the same seed, its flows start at the same times. */
export function cellTraffic(
  cell: Cell,
  { rate_bit_s, base_rtt_ms, ...size }: LinkSize,
  { from_s, seconds, seed }: { readonly from_s: number; readonly seconds: number; readonly seed: number },
): Traffic {
  const random = seededRandom(seed);
  const shares = cell.rtts === 'same' ? [1] : SPREAD;
  const link = { rate_bit_s, base_rtt_ms, ...size };
  const jitter_s = (STARTS_WITHIN_RTTS * base_rtt_ms) / 1000;
  const flows = Array.from({ length: cell.flows }, (_, index): TrafficFlow => {
    const late_s = random() * Math.min(jitter_s, from_s / 2);
    return {
      congestion_control: cell.congestion,
      start_s: cell.headStart ? (index === 0 ? 0 : from_s * 0.9 + late_s / 10) : index === 0 ? 0 : late_s,
      rtt_class: index % shares.length,
      bytes: null,
      paced: false,
      ecn: cell.at === 'mark',
    };
  });
  return {
    rate_bit_s,
    rtt_ms: shares.map((share) => share * base_rtt_ms),
    queue: { packets: bufferPackets(cell, link), at: cell.at },
    flows,
    seconds,
    from_s,
  };
}

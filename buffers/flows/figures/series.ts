import type { PacketRow } from './figure.ts';

export interface DepthBin {
  readonly t_s: number;
  readonly least: number;
  readonly most: number;
}

export type DepthRow = Pick<PacketRow, 't_s' | 'depth_packets' | 'fate'>;

/** Returns the shortest and the longest queue that packets found in each bin of time. */
export function depthBins(
  packets: readonly DepthRow[],
  { from_s, to_s, bins }: { readonly from_s: number; readonly to_s: number; readonly bins: number },
): DepthBin[] {
  const found = new Map<number, { least: number; most: number }>();
  const bin_s = (to_s - from_s) / bins;
  for (const { t_s, depth_packets, fate } of packets) {
    // A packet dropped by a full queue never joined the queue.
    if (fate === 'queue_full' || t_s < from_s || t_s >= to_s) continue;
    const index = Math.floor((t_s - from_s) / bin_s);
    const bin = found.get(index);
    if (!bin) found.set(index, { least: depth_packets, most: depth_packets });
    else {
      bin.least = Math.min(bin.least, depth_packets);
      bin.most = Math.max(bin.most, depth_packets);
    }
  }
  return [...found]
    .toSorted(([one], [other]) => one - other)
    .map(([index, bin]) => ({ t_s: from_s + index * bin_s, ...bin }));
}

/** Returns the times of loss events. Losses less than `apart_s` apart are one event, at the time of its first loss. */
export function findEvents(packets: readonly Pick<PacketRow, 't_s' | 'fate'>[], apart_s: number): number[] {
  const events: number[] = [];
  let last_s = -Infinity;
  for (const { t_s, fate } of packets) {
    if (fate === 'forwarded') continue;
    if (t_s - last_s > apart_s) events.push(t_s);
    last_s = t_s;
  }
  return events;
}

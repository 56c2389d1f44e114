import { trafficOf, type AllocationLink } from '../../../../buffers/flows/allocations/cell.ts';
import { comparisons, UNITS } from '../../../../buffers/flows/allocations/comparison.ts';
import { virtualUnits } from '../../../../buffers/flows/allocations/run-virtually.ts';
import { kernels, type KernelName } from '../../../../buffers/packets/kernel-rules.ts';
import { simulateFlows, VIRTUAL_PACKET_BYTES } from '../../../../buffers/packets/simulate-flows.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import type { Values } from '../claims/evidence.ts';

/** How ten applications share the link of the lab of Unbiased Experiments §3. */
export interface Applications {
  readonly comparison: 'connections' | 'pacing' | 'congestion-control';
  readonly rules: KernelName;
  readonly drop_at?: AllocationLink['drop_at'];
  readonly burst_packets?: number;
  readonly buffer_bdp?: number;
}

/** 10 Gbit/s, 1 ms and packets of 9000 bytes (§3). */
const LINK = {
  rate_bit_s: 10_000_000_000,
  base_rtt_ms: 1,
  packet_bytes: VIRTUAL_PACKET_BYTES,
  bdp_packets: Math.round((10_000_000_000 * 0.001) / 8 / VIRTUAL_PACKET_BYTES),
};
/** 64 kB of such packets, by segmentation offload. */
const BURST_PACKETS = 7;
const FROM_S = 1;

/** The means of both arms at 0, 1, 5, 9 and 10 treated applications, as conditions such as `treatment@5`. */
export function shareLink(
  { comparison: name, rules, drop_at = 'front', burst_packets = BURST_PACKETS, buffer_bdp = 1 }: Applications,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Values {
  const comparison = comparisons.find((each) => each.name === name);
  if (!comparison) throw new Error(`there is no comparison '${name}'`);
  const link = { ...LINK, drop_at, burst_packets, buffer_bdp };
  return Object.fromEntries(
    [0, 1, 5, 9, UNITS].flatMap((treated) => {
      const times = { from_s: FROM_S, seconds: FROM_S + seconds, seed };
      const { traffic, units } = trafficOf({ comparison, treated }, link, times);
      const { flows } = simulateFlows(traffic, { kernel: kernels[rules], seed });
      const results = virtualUnits(units, flows, seconds);
      return (['treatment', 'control'] as const).flatMap((arm) => {
        const own = results.filter((each) => each.arm === arm);
        if (own.length === 0) return [];
        const meanOf = (metric: 'throughput_kbps' | 'retransmit_pct') =>
          meanOrNull(own.map((each) => each[metric]));
        return [
          [
            `${arm}@${treated}`,
            { throughput_kbps: meanOf('throughput_kbps'), retransmit_pct: meanOf('retransmit_pct') },
          ],
        ];
      });
    }),
  );
}

import { allocationTraffic } from '../../../../buffers/flows/allocations/cell.ts';
import { comparisons, UNITS } from '../../../../buffers/flows/allocations/comparison.ts';
import { virtualUnits } from '../../../../buffers/flows/allocations/run-virtually.ts';
import { kernels, type KernelName } from '../../../../buffers/packets/kernel-rules.ts';
import { simulateFlows, VIRTUAL_PACKET_BYTES } from '../../../../buffers/packets/simulate-flows.ts';
import { meanOrNull } from '../../../ground/statistics/percentiles.ts';
import type { Values } from '../claims/evidence.ts';
import type { Measurement } from '../measurement.ts';

/** A comparison of ten applications that share the link in the lab of Unbiased Experiments §3. */
interface Applications {
  readonly comparison: 'connections' | 'pacing' | 'congestion-control';
  readonly rules: KernelName;
  readonly burst_packets?: number;
  readonly buffer_bdp?: number;
}

/** The paper's link: 10 Gbit/s, 1 ms, and packets of 9000 bytes (§3). */
const LINK = {
  rate_bit_s: 10_000_000_000,
  base_rtt_ms: 1,
  packet_bytes: VIRTUAL_PACKET_BYTES,
  bdp_packets: Math.round((10_000_000_000 * 0.001) / 8 / VIRTUAL_PACKET_BYTES),
};
/** The number of packets in a burst: 64 kB of 9000-byte packets, as segmentation offload sends them. */
const BURST_PACKETS = 7;
const FROM_S = 1;

/** Returns the means of both arms with 0, 1, 5, 9 and 10 treated applications, by condition, such as `treatment@5`. */
function shareLink(
  { comparison: name, rules, burst_packets = BURST_PACKETS, buffer_bdp = 1 }: Applications,
  { seed, seconds }: { readonly seed: number; readonly seconds: number },
): Values {
  const comparison = comparisons.find((each) => each.name === name);
  if (!comparison) throw new Error(`there is no comparison '${name}'`);
  const link = { ...LINK, drop_at: 'front' as const, burst_packets, buffer_bdp };
  return Object.fromEntries(
    [0, 1, 5, 9, UNITS].flatMap((treated) => {
      const times = { from_s: FROM_S, seconds: FROM_S + seconds, seed };
      const { traffic, units } = allocationTraffic({ comparison, treated }, link, times);
      const { flows } = simulateFlows(traffic, { kernel: kernels[rules], seed });
      const results = virtualUnits(units, flows, seconds);
      return (['treatment', 'control'] as const).flatMap((arm) => {
        const own = results.filter((each) => each.arm === arm);
        if (own.length === 0) return [];
        const meanMetric = (metric: 'throughput_kbps' | 'retransmit_pct') =>
          meanOrNull(own.map((each) => each[metric]));
        return [
          [
            `${arm}@${treated}`,
            { throughput_kbps: meanMetric('throughput_kbps'), retransmit_pct: meanMetric('retransmit_pct') },
          ],
        ];
      });
    }),
  );
}

export const connections: Measurement = {
  name: 'connections',
  about:
    'Ten applications at 10 Gbit/s and 1 ms, of which 0 to 10 open two Reno connections instead of one; senders by the rules of Linux 5.5, dropped at the front of a queue of one bandwidth-delay product, in virtual time.',
  cost_s: { quick: 20, full: 60 },
  seeds: { quick: 5, full: 10 },
  measure: ({ seed, quick }) =>
    shareLink({ comparison: 'connections', rules: '5.5' }, { seed, seconds: quick ? 4 : 12 }),
};

const paced = (name: string, rules: Applications['rules'], differs: string): Measurement => ({
  name,
  about: `Ten applications at 10 Gbit/s and 1 ms, of which 0 to 10 pace their Reno connection; senders by the rules of Linux ${rules}, dropped at the front of a queue of one bandwidth-delay product, in virtual time.${differs}`,
  cost_s: { quick: 20, full: 60 },
  seeds: { quick: 3, full: 10 },
  measure: ({ seed, quick }) => shareLink({ comparison: 'pacing', rules }, { seed, seconds: quick ? 4 : 12 }),
});

/** With the window rules of the paper's kernel. */
export const pacedApplications = paced('paced-applications', '5.5', '');
/** With the window rules of a current kernel, which remove the effect. */
export const pacedToday = paced(
  'paced-applications-6.1',
  '6.1',
  ' The same seeds as paced-applications, whose senders do not note that the window limits them when it makes them send nothing.',
);

const bbr = (name: string, path: Partial<Applications>, which: string): Measurement => ({
  name,
  about: `Ten applications at 10 Gbit/s and 1 ms, of which 0 to 10 send by bbr instead of cubic, by the rules of Linux 5.5, ${which}, in virtual time.`,
  cost_s: { quick: 25, full: 60 },
  seeds: { quick: 3, full: 10 },
  measure: ({ seed, quick }) =>
    shareLink({ comparison: 'congestion-control', rules: '5.5', ...path }, { seed, seconds: quick ? 4 : 8 }),
});

/** With the bursts and the queue of the paper's lab. */
export const bbrOneBdp = bbr(
  'bbr-applications',
  {},
  'in bursts of up to 64 kB and a queue of one bandwidth-delay product',
);
/** With single packets, and a queue with space for bbr's data in flight, so that a minority of cubic flows wins. */
export const bbrTwoBdp = bbr(
  'bbr-applications-2bdp',
  { burst_packets: 1, buffer_bdp: 2 },
  'in single packets and a queue of two bandwidth-delay products',
);

import { bufferForShare, median, fitPower } from '../../../../buffers/flows/figures/statistics.ts';
import type { Measurement, Measuring } from '../measurement.ts';
import type { Values } from '../claims/evidence.ts';
import { playQueue, type QueueMeasures } from './queue-flows.ts';

/** The bandwidth-delay product for 100 Mbit/s, 20 ms and frames of 1514 bytes, as in a live `run buffer-paper`. */
const BDP_PACKETS = 165;
const FLOWS = [1, 4, 16, 64];
const BUFFERS_BDP = [0.06, 0.1, 0.12, 0.25, 0.5, 1, 1.4];
/** The `rtt_spread` of a further run, as in a live `run buffer-paper`. */
const RTT_SPREAD = 0.1;
/** The congestion controls of the paper's Figure 2. */
const CONTROLS = ['reno', 'cubic', 'bbr', 'scalable'] as const;
/** The largest number of flows whose windows have ten packets or more. With 64 flows, windows have three packets. */
const WIDE_WINDOWS = 16;

/** `full` is the paper's full utilization: 99% of packets find other packets in the queue (§5.1). */
const LEVELS = [
  { level: 'full', share: 0.99, of: ({ found_queue }: QueueMeasures) => found_queue },
  { level: '98%', share: 0.98, of: ({ p1_10rtt }: QueueMeasures) => p1_10rtt },
  { level: '95%', share: 0.95, of: ({ p1_10rtt }: QueueMeasures) => p1_10rtt },
  { level: '90%', share: 0.9, of: ({ p1_10rtt }: QueueMeasures) => p1_10rtt },
];

export const queueSizes: Measurement = {
  name: 'queue-sizes',
  about:
    '1 to 64 Reno flows, and one of Cubic, BBR and Scalable TCP, in single packets through drop-tail queues of 0.06 to 1.4 bandwidth-delay products of 165 packets, at 20 ms, by the rules of Linux 6.1 in virtual time; at one bandwidth-delay product also with round trips that differ by up to ±10%: 500 round trips after the start-up, 1000 in the full form.',
  cost_s: { quick: 25, full: 50 },
  seeds: { quick: 3, full: 10 },
  measure,
};

function measure({ seed, quick }: Measuring): Values {
  const alike = { bdp_packets: BDP_PACKETS, round_trips: quick ? 500 : 1000, seed };
  const played = FLOWS.flatMap((flows) =>
    BUFFERS_BDP.map((buffer_bdp) => {
      const measures = playQueue({ ...alike, congestion_control: 'reno', flows, buffer_bdp });
      return { flows, buffer_bdp, ...measures };
    }),
  );
  const cells = played.map(
    ({ flows, buffer_bdp, mean, p1_8rtt, loss_flows, largest_window, uneven_windows }) =>
      [
        `${flows} ${flows === 1 ? 'flow' : 'flows'}, ${buffer_bdp} BDP`,
        {
          mean_pct: 100 * mean,
          p1_8rtt_pct: 100 * p1_8rtt,
          ...{ loss_flows: median(loss_flows), largest_window, uneven_pct: 100 * uneven_windows },
        },
      ] as const,
  );
  const spread = FLOWS.filter((flows) => flows > 1).map((flows): [string, Values[string]] => {
    const shared = { congestion_control: 'reno', flows, buffer_bdp: 1 } as const;
    const { loss_flows } = playQueue({ ...alike, ...shared, rtt_spread: RTT_SPREAD });
    return [`${flows} flows, 1 BDP, round trips spread`, { loss_flows: median(loss_flows) }];
  });
  const fitSlope = ({ share, of }: (typeof LEVELS)[number], most: number) =>
    fitPower(
      FLOWS.filter((flows) => flows <= most).flatMap((flows) => {
        const tried = played
          .filter((each) => each.flows === flows)
          .map((each) => ({ buffer: each.buffer_packets, share: of(each) }));
        const found = bufferForShare(tried, share);
        return found === null || found.atMost ? [] : [{ x: flows, y: found.buffer }];
      }),
    );
  const slopes = (most: number) =>
    Object.fromEntries(LEVELS.map((level) => [`slope, ${level.level}`, fitSlope(level, most)]));
  const alone = CONTROLS.map((congestion_control): [string, Values[string]] => {
    const { drained } = playQueue({ ...alike, congestion_control, flows: 1, buffer_bdp: 1 });
    return [`${congestion_control}, 1 BDP`, { drained_pct: 100 * drained }];
  });
  return {
    ...Object.fromEntries<Values[string]>(cells),
    ...Object.fromEntries(spread),
    ...Object.fromEntries(alone),
    'to 64 flows': slopes(Infinity),
    'to 16 flows': slopes(WIDE_WINDOWS),
  };
}

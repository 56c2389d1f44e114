import { formatValue } from '../../../ground/drawing/format.ts';
import { type RateStep, type Link } from '../../../network/links/link.ts';
/** Describes a link, for example `40 Mbit/s, 5 ms RTT, drop-tail queue of 100 kB`. */
export function describeLink(link: Link): string {
  const { rate, rtt_ms, queue_bytes, loss = 0, jitter_ms = 0, threshold, weights, policer, gather_ms } = link;
  const speed =
    rate.kind === 'constant'
      ? `${rate.mbps} Mbit/s`
      : rate.kind === 'schedule'
        ? describeSteps(rate.steps)
        : rate.kind === 'poisson'
          ? `${rate.mbps} Mbit/s in the mean with exponential times (Poisson)`
          : `trace ${rate.downlink}${rate.offset_ms === undefined ? '' : ` from ${rate.offset_ms / 1000} s on`}`;
  const lossy = loss > 0 ? `, ${formatValue(loss * 100)}% loss each way` : '';
  const jitter = jitter_ms > 0 ? ` with ${jitter_ms} ms of jitter each way` : '';
  const above = threshold ? ` ${ACTIONS[threshold.action]} above ${threshold.packets} packets` : '';
  const shared = weights ? `, ${weights.join(' to ')} between the video's queue and that of all others` : '';
  const policed = policer ? `, a policer of ${policer.mbps} Mbit/s and ${policer.burst_bytes / 1000} kB` : '';
  const gathered = gather_ms === undefined ? '' : `, ACKs together every ${gather_ms} ms`;
  return (
    `${speed}, ${rtt_ms} ms RTT${jitter}, drop-tail queue of ${formatValue(queue_bytes / 1000)} kB` +
    `${above}${shared}${lossy}${policed}${gathered}`
  );
}

const ACTIONS = { drop: 'that drops', mark: 'that marks (ECN)' };

/** The most steps of a schedule that are listed. Longer schedules come from traces. */
const MOST_STEPS = 6;

function describeSteps(steps: readonly RateStep[]): string {
  if (steps.length <= MOST_STEPS)
    return steps.map(({ seconds, mbps }) => `${mbps} Mbit/s for ${seconds} s`).join(', ');
  const length_s = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  const megabits = steps.reduce((sum, { seconds, mbps }) => sum + seconds * mbps, 0);
  return `${steps.length} rates over ${formatValue(length_s)} s, in the mean ${formatValue(megabits / length_s)} Mbit/s`;
}

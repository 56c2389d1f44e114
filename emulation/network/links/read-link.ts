import type { ValuesOf } from '../../../system/command-line/command-line.ts';
import type { Link } from './link.ts';
import type { LINK_OPTIONS } from './link-options.ts';
import { readRate } from './read-rate.ts';

/** Reads the fields of a link from the options. Throws an Error for options that exclude each other. */
export function readLink(asked: ValuesOf<typeof LINK_OPTIONS>): Partial<Link> {
  const { rate, rtt, queue, loss, jitter, weights, 'drop-above': drop, 'mark-above': mark } = asked;
  if (drop !== undefined && mark !== undefined)
    throw new Error('--drop-above and --mark-above exclude each other: a queue has one threshold');
  return {
    ...(rate !== undefined && { rate: readRate(rate) }),
    ...(rtt !== undefined && { rtt_ms: rtt }),
    ...(queue !== undefined && { queue_bytes: queue }),
    ...(loss !== undefined && { loss: loss / 100 }),
    ...(jitter !== undefined && { jitter_ms: jitter }),
    ...(drop !== undefined && { threshold: { packets: drop, action: 'drop' } }),
    ...(mark !== undefined && { threshold: { packets: mark, action: 'mark' } }),
    ...(weights !== undefined && { weights: readWeights(weights) }),
  };
}

function readWeights(weights: readonly number[]): NonNullable<Link['weights']> {
  const [film, others] = weights;
  if (film !== undefined && others !== undefined && weights.length === 2) return [film, others];
  throw new Error(
    `--weights has ${weights.length} weights, but there are two queues: one for the video, and one for all other traffic`,
  );
}

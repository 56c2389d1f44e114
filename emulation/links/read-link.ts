import type { Link } from './link.ts';
import { readRate } from './read-rate.ts';

/** The command line's options for the link; what is not given is the experiment's own. */
export interface AskedLink {
  readonly rate?: string | undefined;
  readonly rtt_ms?: number | undefined;
  readonly queue_bytes?: number | undefined;
  readonly loss_pct?: number | undefined;
  /** This and all below are only of the P4 switch. */
  readonly jitter_ms?: number | undefined;
  readonly drop_above_packets?: number | undefined;
  readonly mark_above_packets?: number | undefined;
  readonly weights?: readonly number[] | undefined;
}

/** The command line's names of the options, for messages. */
export const LINK_OPTIONS = {
  rate: 'rate',
  rtt_ms: 'rtt',
  queue_bytes: 'queue',
  loss_pct: 'loss',
  jitter_ms: 'jitter',
  drop_above_packets: 'drop-above',
  mark_above_packets: 'mark-above',
  weights: 'weights',
} as const satisfies Record<keyof AskedLink, string>;

/** The fields of a link that were asked for. Throws an Error for options that exclude each other. */
export function readLink(asked: AskedLink): Partial<Link> {
  const { rate, rtt_ms, queue_bytes, loss_pct, jitter_ms, weights } = asked;
  const { drop_above_packets: drop, mark_above_packets: mark } = asked;
  if (drop !== undefined && mark !== undefined)
    throw new Error('--drop-above and --mark-above exclude each other: a queue has one threshold');
  return {
    ...(rate !== undefined && { rate: readRate(rate) }),
    ...(rtt_ms !== undefined && { rtt_ms }),
    ...(queue_bytes !== undefined && { queue_bytes }),
    ...(loss_pct !== undefined && { loss: loss_pct / 100 }),
    ...(jitter_ms !== undefined && { jitter_ms }),
    ...(drop !== undefined && { threshold: { packets: drop, action: 'drop' } }),
    ...(mark !== undefined && { threshold: { packets: mark, action: 'mark' } }),
    ...(weights !== undefined && { weights: weightsOf(weights) }),
  };
}

function weightsOf(weights: readonly number[]): NonNullable<Link['weights']> {
  const [film, others] = weights;
  if (film !== undefined && others !== undefined && weights.length === 2) return [film, others];
  throw new Error(
    `--weights has ${weights.length} weights, but there are two queues: the film's, and that of all others`,
  );
}

import { makePairs } from '../report/summary.ts';
import type { MetricName } from '../../player/records/metrics.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import { mean, type Interval } from '../../ground/statistics/bootstrap.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { isSkewed } from '../../ground/statistics/skewness.ts';
import { chanceAtLeast, typicalInterval } from '../../ground/statistics/typical-values.ts';
import { filterConditions, type ConfirmationSettings } from './confirmation-settings.ts';
import type { Claim } from './protocol.ts';

/**
 * A claim about one set of traces, with its result. All positions in a trace count as one observation, by their mean.
 */
export interface Hypothesis extends Omit<Claim, 'sets'> {
  readonly set: string;
  /** The number of traces in which both arms have a value. */
  readonly traces: number;
  /** The number of traces without a position at which both arms have a value. */
  readonly left_out: number;
  /** The means over traces. */
  readonly arm_mean: number;
  readonly against_mean: number;
  readonly mean_difference: number;
  /** The 95% interval of the difference, by typical values, for this claim alone. */
  readonly ci95: Interval | null;
  /** The one-sided p-value, for this claim alone. */
  readonly p: number;
  /** Whether the claim is shown. All claims share the error rate. */
  readonly is_shown: boolean;
  /** Whether the differences are so few and skewed that the interval may have less than its nominal coverage. */
  readonly is_skewed: boolean;
}

type Tested = Omit<Hypothesis, 'is_shown'>;

/** Tests all claims of the protocol, in the protocol's order. */
export function testHypotheses(
  settings: ConfirmationSettings,
  records: readonly RunRecord[],
  seed: number,
): Hypothesis[] {
  const { claims, error_rate } = settings.protocol;
  const tested = claims.flatMap(({ sets, ...claim }) =>
    sets.map((set) => testOne(settings, records, { set, ...claim }, seed)),
  );
  const shown = shownByHolm(
    tested.map(({ p }) => p),
    error_rate,
  );
  return tested.map((each, index) => ({ ...each, is_shown: shown[index] ?? false }));
}

function testOne(
  settings: ConfirmationSettings,
  records: readonly RunRecord[],
  claim: Omit<Claim, 'sets'> & { readonly set: string; readonly metric: MetricName },
  seed: number,
): Tested {
  const { set, arm, against, metric, difference, bound } = claim;
  const conditions = filterConditions(settings, set);
  const pairs = makePairs({ ...settings, conditions }, records, [arm, against], metric);
  const differences = pairs.map(({ treatment, control }) => treatment - control);
  // The values are mirrored if the claim is that the difference is above the bound.
  const sign = difference === 'below' ? 1 : -1;
  return {
    ...claim,
    traces: pairs.length,
    left_out: new Set(conditions.map(({ cluster }) => cluster)).size - pairs.length,
    arm_mean: mean(pairs.map(({ treatment }) => treatment)),
    against_mean: mean(pairs.map(({ control }) => control)),
    mean_difference: mean(differences),
    ci95: typicalInterval(differences, seededRandom(seed)),
    p: chanceAtLeast(
      differences.map((each) => sign * each),
      sign * bound,
      seededRandom(seed),
    ),
    is_skewed: isSkewed(differences),
  };
}

/**
 * Holm's procedure (Scandinavian Journal of Statistics 1979): the kth smallest of m p-values must not exceed the error
 * rate over m + 1 - k. The first p-value that exceeds its limit, and all larger ones, show nothing.
 */
export function shownByHolm(chances: readonly number[], error_rate: number): boolean[] {
  const ranked = chances.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p);
  const failing = ranked.findIndex(({ p }, rank) => p > error_rate / (ranked.length - rank));
  const shown = new Set(ranked.slice(0, failing < 0 ? undefined : failing).map(({ index }) => index));
  return chances.map((_, index) => shown.has(index));
}

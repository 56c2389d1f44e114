import type { SessionSettings } from '../../player/records/session-settings.ts';
import { metrics, type MetricName } from '../../player/records/metrics.ts';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';
import {
  LEAST_FOR_INTERVAL,
  RESAMPLES,
  interval95,
  mean,
  median,
  medianInterval,
  medianResampler,
  quantile,
  type Interval,
} from '../../ground/statistics/bootstrap.ts';
import { PARTED, findParts, type Part } from './parts.ts';
import { listCells, findControl, filterRuns, listTreatments, type Cell } from '../../player/records/cells.ts';
import { groupBy } from '../../ground/statistics/grouped.ts';
import { seededRandom, type Random } from '../../ground/statistics/random.ts';
import { isSkewed } from '../../ground/statistics/skewness.ts';
import { typicalInterval } from '../../ground/statistics/typical-values.ts';

/** The format of `summary.json`. Intervals are null if there are fewer than three values, or if the control is 0. */
export interface Summary {
  readonly experiment: string;
  /** The statistics by cell, then by metric. */
  readonly arms: Readonly<Record<string, Partial<Record<MetricName, Statistics>>>>;
  readonly comparisons: readonly (Comparison | PairedComparison)[];
  /** The parts of the differences (see `Part`), if the experiment has the arms for them. */
  readonly parts?: readonly PartComparison[];
}

export interface Statistics {
  readonly median: number;
  readonly mean: number;
  /** The bootstrap interval of the median. */
  readonly ci95: Interval | null;
  readonly n: number;
  readonly unit: string;
}

export interface Comparison {
  /** The names of two cells or, in a paired experiment, of two arms. */
  readonly treatment: string;
  readonly control: string;
  readonly metric: MetricName;
  /**
   * The change of the medians, %; null if the control is not above 0. In a paired experiment, the median over
   * conditions of the change within each condition.
   */
  readonly change_pct: number | null;
  readonly ci95_pct: Interval | null;
  /**
   * Present for runs in virtual time, where runs with the same number have the same position and link in every cell.
   */
  readonly matched?: MatchedRuns;
}

/** A comparison of two cells whose runs form pairs by their number. Its intervals resample pairs. */
export interface MatchedRuns {
  readonly pairs: number;
  /** The interval of the difference of the medians, in the metric's unit. */
  readonly ci95: Interval | null;
}

/**
 * A comparison over conditions. Each condition is a pair: the median of an arm's runs, and that of the control's runs.
 * Conditions of one cluster form a single pair, with the means of their medians.
 */
export interface PairedComparison extends Comparison {
  readonly paired: true;
  /** The mean over pairs of treatment minus control, in the metric's unit. It is defined even if the control has 0. */
  readonly difference: number;
  /** The interval of the difference, by `typicalInterval`. */
  readonly ci95: Interval | null;
  /** The number of pairs. */
  readonly n: number;
  /**
   * The change of the means over pairs, %, in which pairs with larger values have more weight; null if the control's
   * mean is not above 0. Its interval is a bootstrap over pairs.
   */
  readonly means_pct: number | null;
  readonly means_ci95_pct: Interval | null;
  /** Whether the differences are so few and skewed that the interval may have less than its nominal coverage. */
  readonly skewed: boolean;
}

export const isPaired = (comparison: Comparison): comparison is PairedComparison => 'paired' in comparison;

export function summarize(experiment: SessionSettings, records: readonly RunRecord[], seed: number): Summary {
  const arms = Object.fromEntries(
    listCells(experiment)
      .map((cell) => [cell.name, computeStatistics(filterRuns(records, cell), seed)] as const)
      .filter(([, statistics]) => Object.keys(statistics).length > 0),
  );
  const comparisons = listTreatments(experiment).flatMap((cell) => {
    const control = findControl(experiment, cell);
    return control ? compareCells(cell, control, records, seed) : [];
  });
  const parts = compareParts(experiment, records, seed);
  return {
    experiment: experiment.name,
    arms,
    comparisons: experiment.paired
      ? [...comparisons, ...comparePairs(experiment, records, seed)]
      : comparisons,
    ...(parts.length > 0 && { parts }),
  };
}

function computeStatistics(
  runs: readonly RunRecord[],
  seed: number,
): Partial<Record<MetricName, Statistics>> {
  return Object.fromEntries(
    metrics.flatMap(({ name, unit }) => {
      const values = metricValues(runs, name);
      if (values.length === 0) return [];
      const statistics: Statistics = {
        median: median(values),
        mean: mean(values),
        ci95: medianInterval(values, seed),
        n: values.length,
        unit,
      };
      return [[name, statistics]];
    }),
  );
}

const metricValues = (runs: readonly RunRecord[], metric: MetricName): number[] =>
  runs.flatMap((run) => run.metrics[metric] ?? []);

function compareCells(
  treatment: Cell,
  control: Cell,
  records: readonly RunRecord[],
  seed: number,
): Comparison[] {
  const treated = filterRuns(records, treatment);
  const controls = filterRuns(records, control);
  const isMatched = [...treated, ...controls].every(({ simulated }) => simulated);
  return metrics.flatMap(({ name }) => {
    const a = metricValues(treated, name);
    const b = metricValues(controls, name);
    if (a.length === 0 || b.length === 0) return [];
    const change = isMatched
      ? matchedChange(a, b, matchedValues(treated, controls, name), seed)
      : medianChange(a, b, seed);
    return [{ treatment: treatment.name, control: control.name, metric: name, ...change }];
  });
}

/** Returns a pair for each run number that both cells contain. */
const matchedValues = (
  treated: readonly RunRecord[],
  controls: readonly RunRecord[],
  metric: MetricName,
): Pair[] =>
  treated.flatMap(({ k, metrics: { [metric]: treatment } }) => {
    const control = controls.find((run) => run.k === k)?.metrics[metric];
    return treatment == null || control == null ? [] : [{ treatment, control }];
  });

/**
 * The change of the medians. Its interval resamples pairs, so that variation between runs that affects both cells
 * equally cancels out.
 */
function matchedChange(
  treatment: readonly number[],
  control: readonly number[],
  pairs: readonly Pair[],
  seed: number,
): Pick<Comparison, 'change_pct' | 'ci95_pct' | 'matched'> {
  const change_pct = changePct(median(treatment), median(control));
  const medians = pairs.length < LEAST_FOR_INTERVAL ? [] : resampledMedians(pairs, seededRandom(seed));
  const comparedInterval = (compare: (treatment: number, control: number) => number): Interval | null => {
    const compared = medians.map((pair) => compare(pair.treatment, pair.control));
    return medians.length === 0 ? null : interval95(() => compared.pop() ?? NaN);
  };
  return {
    change_pct: Number.isFinite(change_pct) ? change_pct : null,
    ci95_pct: Number.isFinite(change_pct) ? comparedInterval(changePct) : null,
    matched: { pairs: pairs.length, ci95: comparedInterval(roundedDifference) },
  };
}

/**
 * Draws pairs with replacement, as often as the bootstrap needs, and returns the medians of both sides of each sample.
 */
function resampledMedians(pairs: readonly Pair[], random: Random): Pair[] {
  const treatment = new Float64Array(pairs.length);
  const control = new Float64Array(pairs.length);
  return Array.from({ length: RESAMPLES }, () => {
    for (let place = 0; place < pairs.length; place++) {
      const drawn = pairs[Math.floor(random() * pairs.length)];
      treatment[place] = drawn?.treatment ?? NaN;
      control[place] = drawn?.control ?? NaN;
    }
    return { treatment: quantile(treatment.sort(), 0.5), control: quantile(control.sort(), 0.5) };
  });
}

/** The change of the medians, with an interval that resamples the two samples separately. */
export function medianChange(
  treatment: readonly number[],
  control: readonly number[],
  seed: number,
): Pick<Comparison, 'change_pct' | 'ci95_pct'> {
  const change_pct = changePct(median(treatment), median(control));
  if (!Number.isFinite(change_pct)) return { change_pct: null, ci95_pct: null };
  if (Math.min(treatment.length, control.length) < LEAST_FOR_INTERVAL) return { change_pct, ci95_pct: null };
  const random = seededRandom(seed);
  const a = medianResampler(treatment, random);
  const b = medianResampler(control, random);
  return { change_pct, ci95_pct: interval95(() => changePct(a(), b())) };
}

/**
 * The change in %. It is infinite for a control of 0, so that an interval with many such resamples has no upper end. It
 * is also infinite for a control below 0, because a percentage would have the wrong sign; `rtt_above_base_ms` may be
 * below 0.
 */
const changePct = (treatment: number, control: number): number =>
  control <= 0 ? Infinity : (100 * roundedDifference(treatment, control)) / control;

/** Values that differ by less than a billionth differ only because of rounding. */
const ROUNDING = 1e-9;

const roundedDifference = (treatment: number, control: number): number =>
  Math.abs(treatment - control) <= ROUNDING * Math.abs(control) ? 0 : treatment - control;

function comparePairs(
  experiment: SessionSettings,
  records: readonly RunRecord[],
  seed: number,
): PairedComparison[] {
  const [controlArm = '', ...treatmentArms] = experiment.arms;
  return treatmentArms.flatMap((arm) =>
    metrics.flatMap(({ name }) => {
      const pairs = makePairs(experiment, records, [arm, controlArm], name);
      return pairs.length === 0
        ? []
        : [{ treatment: arm, control: controlArm, metric: name, ...pairedChange(pairs, seed) }];
    }),
  );
}

/** A part of an arm's difference from the control, in one metric. */
export interface PartComparison extends PairedComparison, Part {}

function compareParts(
  experiment: SessionSettings,
  records: readonly RunRecord[],
  seed: number,
): PartComparison[] {
  if (!experiment.paired) return [];
  return findParts(experiment).flatMap((part) =>
    PARTED.flatMap((metric) => {
      const pairs = makePairs(experiment, records, [part.treatment, part.control], metric);
      return pairs.length === 0 ? [] : [{ ...part, metric, ...pairedChange(pairs, seed) }];
    }),
  );
}

export interface Pair {
  readonly treatment: number;
  readonly control: number;
}

/** Returns a pair for each condition or cluster in which both arms have a value of the metric. */
export function makePairs(
  { conditions = [] }: SessionSettings,
  records: readonly RunRecord[],
  [treatment, control]: readonly [treatment: string, control: string],
  metric: MetricName,
): Pair[] {
  const byCell = groupBy(records, (run) => cellName(run.arm, run.condition));
  const medianValue = (arm: string, condition: string): number | undefined => {
    const values = metricValues(byCell.get(cellName(arm, condition)) ?? [], metric);
    return values.length > 0 ? median(values) : undefined;
  };
  const pairs = conditions.flatMap(({ name, cluster = name }) => {
    const [a, b] = [medianValue(treatment, name), medianValue(control, name)];
    return a === undefined || b === undefined ? [] : [{ cluster, treatment: a, control: b }];
  });
  return [...groupBy(pairs, ({ cluster }) => cluster).values()].map((own) => ({
    treatment: mean(own.map((pair) => pair.treatment)),
    control: mean(own.map((pair) => pair.control)),
  }));
}

/** Computes the change from differences within pairs, so that a condition's effect on both arms cancels out. */
export function pairedChange(
  pairs: readonly Pair[],
  seed: number,
): Omit<PairedComparison, 'treatment' | 'control' | 'metric'> {
  const differences = pairs.map(({ treatment, control }) => roundedDifference(treatment, control));
  const changes = pairs.map(({ treatment, control }) => changePct(treatment, control));
  const defined = changes.every(Number.isFinite);
  return {
    paired: true,
    difference: mean(differences),
    ci95: typicalInterval(differences, seededRandom(seed)),
    change_pct: defined ? median(changes) : null,
    ci95_pct: defined ? medianInterval(changes, seed) : null,
    n: pairs.length,
    ...meansChange(pairs, seed),
    skewed: isSkewed(differences),
  };
}

function meansChange(
  pairs: readonly Pair[],
  seed: number,
): Pick<PairedComparison, 'means_pct' | 'means_ci95_pct'> {
  const meanChange = (drawn: readonly Pair[]) =>
    changePct(mean(drawn.map(({ treatment }) => treatment)), mean(drawn.map(({ control }) => control)));
  const means_pct = meanChange(pairs);
  if (!Number.isFinite(means_pct)) return { means_pct: null, means_ci95_pct: null };
  if (pairs.length < LEAST_FOR_INTERVAL) return { means_pct, means_ci95_pct: null };
  const random = seededRandom(seed);
  const draw = () => pairs[Math.floor(random() * pairs.length)];
  return {
    means_pct,
    means_ci95_pct: interval95(() =>
      meanChange(pairs.map(() => draw()).filter((pair) => pair !== undefined)),
    ),
  };
}

import { findArm } from '../../player/arms/tuned.ts';
import { dashjsNoFastSwitch } from '../../player/arms/dashjs.ts';
import { arms } from '../../player/arms/index.ts';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import type { MetricName } from '../../player/records/metrics.ts';

/**
 * One of the steps from stock dash.js to an arm that paces. Sammy's arms disable dash.js's fast switch, choose the
 * rungs themselves, and pace. Each step changes one of these three properties, so that the steps add up to the whole
 * difference.
 */
export interface Part {
  /** The arm whose difference from the control is divided into parts. */
  readonly arm: string;
  readonly part: (typeof PARTS)[number];
  readonly treatment: string;
  readonly control: string;
}

export const PARTS = ['without fast switch', 'choice of rungs', 'pacing', 'in all'] as const;

/** The metrics whose differences are divided into parts. */
export const PARTED: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rebuffer_ratio',
  'avoidable_rebuffer_ratio',
  'mean_ssim_db',
  'initial_ssim_db',
  'play_delay_ms',
  'switches',
];

/**
 * Returns the parts for each arm that paces. They need two other arms in the experiment: stock dash.js without fast
 * switch, and the same arm without a pace.
 */
export function findParts(experiment: SessionSettings): Part[] {
  const [control = ''] = experiment.arms;
  const noFastSwitch = dashjsNoFastSwitch.name;
  if (control === noFastSwitch || !experiment.arms.includes(noFastSwitch)) return [];
  return experiment.arms.flatMap((arm): Part[] => {
    const unpaced = findUnpaced(experiment, arm);
    if (unpaced === undefined || !experiment.arms.includes(unpaced)) return [];
    return [
      { arm, part: 'without fast switch', treatment: noFastSwitch, control },
      { arm, part: 'choice of rungs', treatment: unpaced, control: noFastSwitch },
      { arm, part: 'pacing', treatment: arm, control: unpaced },
      { arm, part: 'in all', treatment: arm, control },
    ];
  });
}

/** Finds the counterpart of an arm without a pace. Undefined if it has none, or if the arm is not in the list. */
function findUnpaced(experiment: SessionSettings, arm: string): string | undefined {
  const known = arms.some(({ name }) => name === arm) || experiment.tuned?.some(({ name }) => name === arm);
  return known ? findArm(experiment, arm).unpaced : undefined;
}

import { findArm } from '../../player/arms/tuned.ts';
import { dashjsNoFastSwitch } from '../../player/arms/dashjs.ts';
import { arms } from '../../player/arms/index.ts';
import type { SessionSettings } from '../../player/records/session-settings.ts';
import type { MetricName } from '../../player/records/metrics.ts';

/**
 * A step on the way from stock dash.js to an arm that paces. Sammy's arms have dash.js's fast switch off, choose the rungs
 * themselves, and pace: each step changes one of the three, so that the steps add up to the whole difference.
 */
export interface Part {
  /** The arm whose difference from the control is divided. */
  readonly arm: string;
  readonly part: (typeof PARTS)[number];
  readonly treatment: string;
  readonly control: string;
}

export const PARTS = ['without fast switch', 'choice of rungs', 'pacing', 'in all'] as const;

/** The metrics that are divided. */
export const PARTED: readonly MetricName[] = [
  'chunk_throughput_kbps',
  'rebuffer_ratio',
  'avoidable_rebuffer_ratio',
  'mean_ssim_db',
  'initial_ssim_db',
  'play_delay_ms',
  'switches',
];

/** The parts for each arm that paces, where the experiment has stock dash.js without fast switch and the arm without a pace. */
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

/** Undefined also for an arm that is not on the list any more. */
function findUnpaced(experiment: SessionSettings, arm: string): string | undefined {
  const known = arms.some(({ name }) => name === arm) || experiment.tuned?.some(({ name }) => name === arm);
  return known ? findArm(experiment, arm).unpaced : undefined;
}

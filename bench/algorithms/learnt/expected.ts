import { LESS, MORE, type Claim } from '../../../emulation/studies/paper/claims/exhibit.ts';
import type { Measure } from './outcome.ts';

/**
 * The traces of the evaluation, which no rule was trained on: the other halves of the files with which the rule of the
 * published reward was trained, and other files.
 */
export const PLACES = {
  own: ['norway-3g', 'fcc-sd'],
  elsewhere: ['puffer-slow', 'puffer', 'oboe'],
  puffer: ['puffer-slow', 'puffer'],
} as const;
export type Place = keyof typeof PLACES;

/**
 * Arms of the lab, and the trained rules: with the published reward, with SSIM, with SSIM and Sammy's pace, on Puffer's
 * traces, with SSIM and the pace during training, and a candidate to replace the rule of the published reward.
 */
export const ARMS = [
  ...(['bba-unpaced', 'mpc-hm-unpaced', 'robust-mpc-hm-unpaced', 'fugu-unpaced', 'sammy-careful'] as const),
  ...(['pensieve-bitrate', 'pensieve-ssim', 'sammy-pensieve-ssim', 'pensieve-puffer'] as const),
  ...(['sammy-pensieve-paced', 'pensieve-candidate'] as const),
] as const;
export type ArmName = (typeof ARMS)[number];

/** A difference, arm less the other, and which way it is expected to be; null where nothing is expected. */
export interface Comparison {
  /** The figure or section of the thesis with this claim. */
  readonly exhibit: string;
  readonly place: Place;
  readonly measure: Measure;
  readonly arm: ArmName;
  readonly other: ArmName | 'mean of the others';
  readonly claim: Claim | null;
}

const [more, less] = [MORE.claim, LESS.claim];

/** Claims of the thesis and of Pensieve's paper, committed before any of them was measured here. */
export const EXPECTED: readonly Comparison[] = [
  // The rule wins on networks like those of its training, by its own reward (Pensieve, Figure 8; thesis, §2.4.3).
  ...(['mpc-hm-unpaced', 'robust-mpc-hm-unpaced', 'bba-unpaced'] as const).map((other): Comparison => {
    return {
      exhibit: '§2.4.3',
      place: 'own',
      measure: 'bitrate_reward',
      arm: 'pensieve-bitrate',
      other,
      claim: more,
    };
  }),
  ...(['mpc-hm-unpaced', 'robust-mpc-hm-unpaced'] as const).map((other): Comparison => {
    return {
      exhibit: '§2.4.3',
      place: 'own',
      measure: 'ssim_reward',
      arm: 'pensieve-ssim',
      other,
      claim: more,
    };
  }),
  // An algorithm that maximizes the bitrate, or each chunk's SSIM, has less SSIM for its bytes than one that plans by SSIM.
  ...(['mpc-hm-unpaced', 'robust-mpc-hm-unpaced', 'fugu-unpaced'] as const).map((other): Comparison => {
    return {
      exhibit: 'Figure 2.7',
      place: 'elsewhere',
      measure: 'ssim_for_bytes_db',
      arm: 'pensieve-bitrate',
      other,
      claim: less,
    };
  }),
  {
    exhibit: 'Figure 2.7',
    place: 'elsewhere',
    measure: 'ssim_for_bytes_db',
    arm: 'bba-unpaced',
    other: 'fugu-unpaced',
    claim: less,
  },
  // "It is possible that an SSIM-aware Pensieve might perform better" (§2.5.1).
  {
    exhibit: '§2.5.1',
    place: 'elsewhere',
    measure: 'ssim_for_bytes_db',
    arm: 'pensieve-ssim',
    other: 'pensieve-bitrate',
    claim: more,
  },
  // 5 to 9% longer: by how long viewers put up with stalls (patience.ts), since nobody watches here.
  {
    exhibit: 'Figure 2.13',
    place: 'elsewhere',
    measure: 'stay_pct',
    arm: 'fugu-unpaced',
    other: 'mean of the others',
    claim: { of: 'size' },
  },
  // Trained on Puffer's traces the rule is better than the original, and still worse than BBA and Fugu.
  {
    exhibit: 'Figure 2.15',
    place: 'puffer',
    measure: 'stalled_pct',
    arm: 'pensieve-puffer',
    other: 'pensieve-bitrate',
    claim: less,
  },
  {
    exhibit: 'Figure 2.15',
    place: 'puffer',
    measure: 'ssim_db',
    arm: 'pensieve-puffer',
    other: 'pensieve-bitrate',
    claim: more,
  },
  ...(['bba-unpaced', 'fugu-unpaced'] as const).flatMap((other): Comparison[] => [
    {
      exhibit: 'Figure 2.15',
      place: 'puffer',
      measure: 'stalled_pct',
      arm: 'pensieve-puffer',
      other,
      claim: more,
    },
    {
      exhibit: 'Figure 2.15',
      place: 'puffer',
      measure: 'ssim_db',
      arm: 'pensieve-puffer',
      other,
      claim: less,
    },
  ]),
  // More decisions to learn from are worth something, by its own reward; nothing is expected elsewhere.
  {
    exhibit: 'more decisions',
    place: 'own',
    measure: 'bitrate_reward',
    arm: 'pensieve-candidate',
    other: 'pensieve-bitrate',
    claim: more,
  },
  ...(['bitrate_reward', 'ssim_for_bytes_db', 'ssim_db', 'stalled_pct'] as const).map(
    (measure): Comparison => {
      return {
        exhibit: 'more decisions',
        place: 'elsewhere',
        measure,
        arm: 'pensieve-candidate',
        other: 'pensieve-bitrate',
        claim: null,
      };
    },
  ),
  // With a pace, a rule trained with it has more of its own reward than a rule trained without it.
  ...(['own', 'elsewhere'] as const).map((place): Comparison => {
    return {
      exhibit: 'with a pace',
      place,
      measure: 'ssim_reward',
      arm: 'sammy-pensieve-paced',
      other: 'sammy-pensieve-ssim',
      claim: more,
    };
  }),
  // With a pace that it did not learn with, or did; nothing is expected of these.
  ...(['own', 'elsewhere'] as const).flatMap((place) =>
    (['sammy-pensieve-ssim', 'sammy-pensieve-paced'] as const).flatMap((arm) =>
      (['stalled_pct', 'ssim_db', 'ssim_reward', 'chunk_throughput_mbps'] as const).map(
        (measure): Comparison => {
          return { exhibit: 'with a pace', place, measure, arm, other: 'pensieve-ssim', claim: null };
        },
      ),
    ),
  ),
];

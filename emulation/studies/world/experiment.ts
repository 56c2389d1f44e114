import { DESIGNS, LINKS, type DesignName } from './designs.ts';
import { BASELINE, type LinkRun } from './link-run.ts';
import { truthRuns } from './results/truth.ts';

export interface WorldExperiment {
  /** The links on the days before the experiment. */
  readonly baseline: readonly LinkRun[];
  readonly own: readonly LinkRun[];
  /** The links whose comparison gives the true effect; empty if nobody is treated. */
  readonly truths: readonly LinkRun[];
}

interface ExtraRuns {
  readonly baselineDays?: number;
  readonly truthLinks?: readonly LinkRun['link'][];
}

export function worldExperiment(
  all: Omit<LinkRun, 'link' | 'design'>,
  design: DesignName,
  { baselineDays = 0, truthLinks = LINKS }: ExtraRuns = {},
): WorldExperiment {
  const { links } = DESIGNS[design];
  const before = { ...all, days: baselineDays, design: BASELINE } as const;
  return {
    baseline: baselineDays > 0 ? links.map((link) => ({ ...before, link })) : [],
    own: links.map((link) => ({ ...all, link, design })),
    truths: design === 'aa' ? [] : truthLinks.flatMap((link) => truthRuns({ ...all, link })),
  };
}

/** All links, in the order in which their rows are written. */
export const experimentRuns = ({ baseline, own, truths }: WorldExperiment): LinkRun[] => [
  ...baseline,
  ...own,
  ...truths,
];

import type { Assignment } from './assign.ts';
import type { Arm } from './experiment.ts';

/** What the edge tells a player of its assignment, in the member `experiment` of Server-Timing. */
export interface ToldAssignment extends Omit<Assignment, 'bucket'> {
  readonly experiment: string;
  readonly cluster: string;
}

/** The member of Server-Timing: `experiment;desc="NAME ARM ALLOCATION WINDOW CLUSTER"`; WINDOW ends in `w` in the wash-out. */
export const printAssignment = ({
  experiment,
  arm,
  allocation,
  window,
  washout,
  cluster,
}: ToldAssignment): string =>
  `experiment;desc="${[experiment, arm, allocation, `${window ?? '-'}${washout ? 'w' : ''}`, cluster].join(' ')}"`;

const TOLD =
  /(?:^|,)\s*experiment;desc="([\w.:-]{1,64}) (control|treatment) ([01](?:\.\d{1,20})?|\d(?:\.\d{1,20})?e-\d{1,3}) (-|\d{1,9})(w?) ([\w.:-]{1,64})"/g;

/**
 * Reads the assignment from a response's Server-Timing; null where there is none. The last one counts: the hop that is
 * nearest to the player comes last, however much the hops before it wrote. Never throws.
 */
export function readAssignment(serverTiming: string | null): ToldAssignment | null {
  const last = [...(serverTiming ?? '').matchAll(TOLD)].at(-1);
  if (!last) return null;
  const [, experiment = '', arm = '', allocation = '', window = '', washout = '', cluster = ''] = last;
  return {
    experiment,
    arm: arm as Arm,
    allocation: Number(allocation),
    window: window === '-' ? null : Number(window),
    washout: washout !== '',
    cluster,
  };
}

import type { Assignment } from './assign.ts';
import type { Arm } from './experiment.ts';

/** The assignment that the edge reports to a player in the Server-Timing member `experiment`. */
export interface ReportedAssignment extends Omit<Assignment, 'bucket'> {
  readonly experiment: string;
  readonly cluster: string;
}

/**
 * Formats the Server-Timing member: `experiment;desc="NAME ARM ALLOCATION WINDOW CLUSTER"`. WINDOW ends in `w` during the
 * washout period.
 */
export const printAssignment = ({
  experiment,
  arm,
  allocation,
  window,
  washout,
  cluster,
}: ReportedAssignment): string =>
  `experiment;desc="${[experiment, arm, allocation, `${window ?? '-'}${washout ? 'w' : ''}`, cluster].join(' ')}"`;

const ASSIGNMENT_MEMBER =
  /(?:^|,)\s*experiment;desc="([\w.:-]{1,64}) (control|treatment) ([01](?:\.\d{1,20})?|\d(?:\.\d{1,20})?e-\d{1,3}) (-|\d{1,9})(w?) ([\w.:-]{1,64})"/g;

/**
 * Reads the assignment from a response's Server-Timing header; null if there is none. Uses the last `experiment`
 * member, because the hop nearest to the player appends last. Never throws.
 */
export function readAssignment(serverTiming: string | null): ReportedAssignment | null {
  const last = [...(serverTiming ?? '').matchAll(ASSIGNMENT_MEMBER)].at(-1);
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

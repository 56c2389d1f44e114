import { assign, type Assignment } from '../src/experiment/assign.ts';
import type { ArmOptions, Experiment } from '../src/experiment/experiment.ts';
import { readExperiments } from '../src/experiment/read-experiments.ts';
import { printAssignment } from '../src/experiment/reported-assignment.ts';
import { resolveOptions } from '../src/options.ts';
import type { Milliseconds } from '../src/units.ts';
import { getCluster } from './cluster.ts';
import { readCmcd, type PaceRequest } from './cmcd.ts';

/** The experiments, and the edge's own cluster and clock. A player's clock may be wrong. */
export interface EdgeExperiments {
  /** Returns the experiments of the present configuration, which may change while the edge runs. */
  readonly list: () => readonly Experiment[];
  /**
   * The cluster, or part of the network, that this edge serves: a POP, or the label of a link. `{asn}` is replaced by
   * the client's autonomous system number.
   */
  readonly cluster: string;
  /** The time since 1970. */
  readonly now: () => Milliseconds;
  /**
   * Called for each request with a pace while there is an experiment. `hasSession`: whether the request has a session
   * id.
   */
  readonly onPaceRequest?: (hasSession: boolean) => void;
  /** Called for each request that an experiment has assigned. */
  readonly onAssigned?: (assignment: NamedAssignment, request: PaceRequest) => void;
}

/** An assignment, with the name of its experiment and the options of its arm. */
export interface NamedAssignment extends Assignment {
  readonly experiment: string;
  readonly options: ArmOptions;
}

/** Returns the assignment of a session that begins at `now`; null if no experiment applies. */
export function assignSession(
  unit: string,
  { list, cluster }: EdgeExperiments,
  now: Milliseconds,
): NamedAssignment | null {
  for (const experiment of list()) {
    const assignment = assign(unit, experiment, { cluster, now });
    if (assignment) {
      return { ...assignment, experiment: experiment.name, options: experiment.arms[assignment.arm] };
    }
  }
  return null;
}

/**
 * Returns the effect of an experiment on a response: the Server-Timing member that reports the arm to the player, and
 * whether the arm allows a pace. The unit is the session id of CMCD. Requests without a session id are not part of any
 * experiment.
 */
export function assignRequest(
  request: PaceRequest,
  experiments: EdgeExperiments,
): { readonly told: string; readonly paces: boolean } | null {
  if (experiments.list().length === 0) return null;
  const { session, rtp } = readCmcd(request);
  if (rtp && 'pace' in rtp) experiments.onPaceRequest?.(session !== null);
  const cluster = getCluster(experiments.cluster, request.headers);
  const here = { ...experiments, cluster };
  const assignment = session === null ? null : assignSession(session, here, experiments.now());
  if (!assignment) return null;
  experiments.onAssigned?.(assignment, request);
  return {
    told: printAssignment({ ...assignment, cluster }),
    paces: assignment.options.pacing !== false,
  };
}

/**
 * Reads the operator's configuration. An invalid configuration disables all experiments: every session is paced as
 * requested, as without experiments, and the error is passed to `onProblem`.
 */
export function parseExperiments(text: string, onProblem: (line: string) => void): readonly Experiment[] {
  try {
    return readExperiments(JSON.parse(text), resolveOptions);
  } catch (error) {
    onProblem(`experiments: ${error instanceof Error ? error.message : String(error)}; no experiment runs`);
    return [];
  }
}

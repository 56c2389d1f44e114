import { traceConditions } from '../sessions/trace-conditions.ts';
import { readSessionManifest, type SessionManifest } from '../../player/records/session-manifest.ts';
import type { Condition, SessionSettings } from '../../player/records/session-settings.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { checkProtocol, type Protocol } from './protocol.ts';
import type { TraceSets } from './trace-sets.ts';

export const CONFIRM = 'confirm';

/** The settings of an experiment of sessions that confirms a claim, together with its protocol. */
export interface ConfirmationSettings extends SessionSettings {
  readonly protocol: Protocol;
  /** Set for a rehearsal, in which any traces are allowed, and nothing is confirmed. */
  readonly rehearsal?: true;
  /** When the protocol's networks were first played, if this is a later play. */
  readonly seen?: string;
}

/**
 * Makes the settings of a protocol's sessions. dash.js itself plays all of them, because results of a model would
 * confirm nothing.
 */
export function makeSettings(
  protocol: Protocol,
  traces: TraceSets,
  rehearsal: boolean,
): ConfirmationSettings {
  const { places, arms, question } = protocol;
  const conditions = Object.entries(traces).flatMap(([set, own]) =>
    traceConditions(own, places.per_trace, seededRandom(places.seed)).map((condition) =>
      inSet(set, condition),
    ),
  );
  const link = conditions[0]?.link;
  if (!link) throw new Error('the sets have no traces');
  return {
    ...{ name: CONFIRM, about: question, figure: 'beyond the paper', runs: 1, seconds: places.seconds },
    ...{ arms, link, conditions, paired: true, viewers: 'page', protocol },
    ...(rehearsal && { rehearsal }),
  };
}

/** Adds the set's name before the names of conditions, because two sets may have traces of the same name. */
const inSet = (set: string, { name, cluster = name, ...condition }: Condition): Condition => ({
  ...condition,
  name: `${set}.${name}`,
  cluster: `${set}/${cluster}`,
});

export const filterConditions = ({ conditions = [] }: SessionSettings, set: string): Condition[] =>
  conditions.filter(({ cluster }) => cluster?.startsWith(`${set}/`));

/** Reads the manifest of a confirmation. Throws an Error that names the file if the folder has none. */
export function readConfirmationManifest(
  outDir: string,
): SessionManifest & { readonly experiment: ConfirmationSettings } {
  const manifest = readSessionManifest(outDir);
  const { experiment } = manifest as { experiment: SessionSettings & Partial<ConfirmationSettings> };
  const protocol = checkProtocol(experiment.protocol);
  return { ...manifest, experiment: { ...experiment, protocol } };
}

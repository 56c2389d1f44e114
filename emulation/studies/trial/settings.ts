import { resolve } from 'node:path';
import type { StudyRequest, Settings } from '../../harness/runs/study.ts';
import { tracesHash } from '../../network/links/trace-files/traces-hash.ts';
import type { Demand } from './draw-sessions.ts';
import { checkArms, EMULATED, firstDay, FROZEN, learnsInTrial, RETRAINED, TRIAL_ARMS } from './trial-arms.ts';
import type { TRIAL_OPTIONS } from './trial-options.ts';
import { readTraceSet } from '../sessions/traces.ts';

/** The settings of a trial: `runs` is the number of days, and watch times are limited to `seconds`. */
export interface TrialSettings extends Settings, Demand {
  readonly arms: readonly string[];
  /** The maximum number of epochs for training each day's model. */
  readonly epochs: number;
  /** The file or folder of traces; null for the traces of mahimahi. */
  readonly traces: string | null;
  /** The names of the traces. */
  readonly networks: readonly string[];
  /** A hash of the traces' content. */
  readonly traces_digest: string;
  /** Set for sessions over the kernel's TCP; absent for virtual time. */
  readonly over?: 'tcp';
  /** The share of segments with a random rung, for the arms that learn in the trial, %; absent for none. */
  readonly explored_pct?: number;
  /** The first day that is evaluated. */
  readonly first_day: number;
  /** The arms with special roles in the analysis. */
  readonly roles: Readonly<Record<'retrained' | 'frozen' | 'emulated', string | null>>;
}

export const ABOUT = {
  name: 'trial',
  about: 'randomized trial of bitrate algorithms, one retrained daily',
  figure: 'Fugu Chapter 2',
} as const;

/** The defaults of the options. In real time, a trial should end within minutes. */
const DEFAULTS = {
  'virtual time': { days: 5, sessions_per_day: 400, seconds: 600 },
  tcp: { days: 3, sessions_per_day: 48, seconds: 30 },
} as const;
const EPOCHS = 6;
/** The number of digits of the hash that identifies a trial's traces. */
const DIGEST_LENGTH = 12;

type Asked = StudyRequest<typeof TRIAL_OPTIONS>;

/**
 * Completes the options with the settings of a resumed folder (`before`), or with defaults. Throws an Error of one line
 * for impossible settings.
 */
export async function readSettings(
  asked: Asked,
  before: TrialSettings | undefined,
  seed: number,
): Promise<TrialSettings> {
  const overTcp = asked.place?.backend === 'light';
  const usual = DEFAULTS[overTcp ? 'tcp' : 'virtual time'];
  const arms = asked.arms ?? before?.arms ?? TRIAL_ARMS;
  checkArms(arms);
  const first_day = firstDay(arms);
  const days = asked.days ?? before?.runs ?? usual.days;
  if (days < first_day)
    throw new Error(
      `--days is '${days}', expected at least ${first_day}, because the models of the first day are used from then on`,
    );
  const explored_pct = asked.explored ?? before?.explored_pct ?? 0;
  if (explored_pct > 0 && !arms.some(learnsInTrial))
    throw new Error('--explored needs an arm that learns in the trial');
  const traces = asked.traces === undefined ? (before?.traces ?? null) : resolve(asked.traces);
  const networks = await readTraceSet({ traces });
  const present = (arm: string) => (arms.includes(arm) ? arm : null);
  return {
    ...ABOUT,
    runs: days,
    seconds: asked.seconds ?? before?.seconds ?? usual.seconds,
    seed,
    sessions_per_day: asked['sessions-per-day'] ?? before?.sessions_per_day ?? usual.sessions_per_day,
    arms,
    epochs: asked.epochs ?? before?.epochs ?? EPOCHS,
    traces,
    networks: networks.map(({ name }) => name),
    traces_digest: (await tracesHash(networks)).slice(0, DIGEST_LENGTH),
    ...(overTcp && { over: 'tcp' }),
    ...(explored_pct > 0 && { explored_pct }),
    first_day,
    roles: { retrained: present(RETRAINED), frozen: present(FROZEN), emulated: present(EMULATED) },
  };
}

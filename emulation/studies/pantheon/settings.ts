import { isVirtualControl, VIRTUAL_CONTROLS } from '../../../buffers/packets/controls/control-named.ts';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';
import { checkAnySettings } from '../../harness/runs/manifest.ts';
import { everyRun, type StudyRequest, type Plan, type Settings } from '../../harness/runs/study.ts';
import type { Link } from '../../network/links/link.ts';
import { readLink } from '../../network/links/read-link.ts';
import { schemeNamed, defaultSchemes, virtualSchemes } from '../../network/schemes/index.ts';
import type { PANTHEON_OPTIONS } from './options.ts';
import { checkPath, OWN_PATH, paths, QUICK_PATH, type PathName } from './paths.ts';

export interface PantheonSettings extends Settings {
  readonly paths: Readonly<Record<string, Link>>;
  readonly schemes: readonly string[];
  /** The numbers of flows of a scheme that share the path. Each number is a separate scenario. */
  readonly flows: readonly number[];
  /** The length of the start-up, s, which is not measured. */
  readonly from_s: number;
}

/** A scheme on a path with a number of flows. */
export interface PantheonCell {
  readonly name: string;
  readonly scheme: string;
  readonly path: string;
  readonly flows: number;
}

const QUICK = { runs: 2, seconds: 8 };
const FULL = { runs: 3, seconds: 30 };
/**
 * The longest start-up, s, because BBR's own start-up would dominate the 95th percentile of delay in the first seconds.
 */
const START_UP_MOST_S = 5;
/** The time that a run takes in addition to its flows, s, to open the path and to read the postcards. */
const OVERHEAD_S = 2;

const SEED_STRIDE = 1009;

/** Plans the flows. Throws an Error of one line for impossible settings. */
export function planPantheon(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: StudyRequest<typeof PANTHEON_OPTIONS>,
  before?: PantheonSettings,
): Plan<PantheonSettings> {
  const usual = asked.quick ? QUICK : FULL;
  const seconds = asked.seconds ?? before?.seconds ?? usual.seconds;
  const settings: PantheonSettings = {
    ...about,
    runs: asked.runs ?? before?.runs ?? usual.runs,
    seconds,
    paths: choosePaths(asked, before?.paths),
    schemes: asked.schemes ?? before?.schemes ?? chooseDefaultSchemes(asked),
    flows: asked.flows ?? before?.flows ?? [1],
    from_s: Math.min(START_UP_MOST_S, seconds / 4),
  };
  for (const [name, path] of Object.entries(settings.paths)) checkPath(name, path);
  for (const name of settings.schemes) {
    schemeNamed(name);
    if (asked.place?.backend === 'model' && !isVirtualControl(name))
      throw new Error(`there is no model of '${name}'; there are ${VIRTUAL_CONTROLS.join(', ')}`);
  }
  return {
    settings,
    runs: everyRun(
      settings.runs,
      listCells(settings).map(({ name }) => name),
    ),
    units: "in the names of the fields; t_s counts from the first flow's start",
    overhead_s: OVERHEAD_S,
  };
}

type Paths = Readonly<Record<string, Link>>;

function choosePaths(asked: StudyRequest<typeof PANTHEON_OPTIONS>, before: Paths | undefined): Paths {
  const { rate, rtt, queue, loss, paths: named } = asked;
  const own = readLink({ rate, rtt, queue, loss });
  if (Object.keys(own).length === 0)
    return named === undefined && before ? before : pick(named ?? [QUICK_PATH]);
  if (named !== undefined) throw new Error('--paths and the link options exclude each other');
  return { [OWN_PATH]: { ...paths[QUICK_PATH], ...own } };
}

const pick = (names: readonly PathName[]): Paths =>
  Object.fromEntries(names.map((name) => [name, paths[name]]));

function chooseDefaultSchemes({ place }: StudyRequest<typeof PANTHEON_OPTIONS>): readonly string[] {
  if (place?.backend === 'model') return VIRTUAL_CONTROLS;
  const usual = place?.clock === 'virtual' ? virtualSchemes : defaultSchemes;
  return usual.map(({ name }) => name);
}

export const listCells = ({ schemes, paths: over, flows }: PantheonSettings): PantheonCell[] =>
  Object.keys(over).flatMap((path) =>
    flows.flatMap((count) =>
      schemes.map((scheme) => ({
        name: `${scheme}@${path}${count === 1 ? '' : `x${count}`}`,
        ...{ scheme, path, flows: count },
      })),
    ),
  );

/**
 * The start of flow `index` of `count`. Starts are evenly spread, as in Pantheon: three flows in 30 s begin 10 s apart.
 */
export const getStart_s = (index: number, count: number, seconds: number): number =>
  (index * seconds) / count;

/**
 * The seed of run `k`. Runs of the same number have the same random numbers on all paths; runs of different numbers
 * share none.
 */
export const makeSeed = (seed: number, k: number): number => seed * SEED_STRIDE + k;

export function checkPantheonSettings(value: unknown): PantheonSettings {
  checkAnySettings(value);
  const settings = asFields(value, 'experiment');
  for (const scheme of asList(settings.schemes, 'experiment: schemes'))
    asText(scheme, 'experiment: a scheme');
  for (const count of asList(settings.flows, 'experiment: flows')) asNumber(count, 'experiment: flows');
  asFields(settings.paths, 'experiment: paths');
  asNumber(settings.from_s, 'experiment: from_s');
  return value as PantheonSettings;
}

import { checkArm, demandPlayable, type Unplayable } from '../arms/check-arm.ts';
import { arms } from '../arms/index.ts';
import { readArms } from '../arms/read-tuned.ts';
import type { Condition, SessionSettings } from '../records/session-settings.ts';
import type { Link } from '../../network/links/link.ts';
import { DEFAULT_EDGE, type LabEdgeName } from '../../network/edges/index.ts';
import { neighborNamed } from '../neighbors/index.ts';
import { checkEmulator } from '../../network/links/check-emulator.ts';
import { readLink } from '../../network/links/read-link.ts';
import { listCells } from '../records/cells.ts';
import type { Place } from '../../harness/runs/place.ts';
import type { StudyRequest, Plan, PlannedRun } from '../../harness/runs/study.ts';
import type { SESSION_OPTIONS } from './session-options.ts';

/** The name of the edge that serves the video of these sessions. */
export const getEdgeName = ({ edge }: Pick<SessionSettings, 'edge'>): LabEdgeName => edge ?? DEFAULT_EDGE;

export type SessionsRequest = StudyRequest<typeof SESSION_OPTIONS>;

/** The time that a run takes in addition to its session, s: link, calibration, browser, reading logs. */
const OVERHEAD_S = 9;

/** Plans an experiment of sessions. Throws an Error for an unsupported option. */
export function planSessions(own: SessionSettings, asked: SessionsRequest): Plan<SessionSettings> {
  const settings = resolveSettings(own, asked);
  const cells = listCells(settings);
  return {
    settings,
    runs: Array.from({ length: settings.runs }, (_, index) =>
      cells.map(({ name, condition }) => ({
        cell: name,
        k: index + 1,
        group: getGroup(name, condition, index + 1),
      })),
    ).flat(),
    units: 'in the names of the fields; t_s counts from the request for playback',
    overhead_s: OVERHEAD_S,
  };
}

/**
 * The group of a run. If viewers remember their earlier sessions, all sessions of a viewer form a group. Otherwise, the
 * runs of a round and condition form a group.
 */
const getGroup = (cell: string, condition: Condition | undefined, k: number): string =>
  condition?.history ? cell : `${condition?.name ?? ''}/${k}`;

/** The arm and the condition of a planned run. */
export function findSession(
  settings: SessionSettings,
  { cell }: Pick<PlannedRun, 'cell'>,
): { readonly arm: string; readonly condition?: Condition } {
  const found = listCells(settings).find(({ name }) => name === cell);
  if (found) return found;
  throw new Error(`study ${settings.name} has no cell '${cell}'`);
}

export const listLinks = ({ link, conditions }: SessionSettings): Link[] =>
  conditions?.map((condition) => condition.link ?? link) ?? [link];

/** The experiment's settings, changed by the command line's options. Throws an Error that names an unknown arm. */
function resolveSettings(own: SessionSettings, asked: SessionsRequest): SessionSettings {
  const { runs, seconds, jobs = 1, edge = own.edge } = asked;
  const congestionControl = asked['congestion-control'];
  const neighbor = asked.neighbor === undefined ? own.neighbor : neighborNamed(asked.neighbor).name;
  const chosenArms = asked.arms && readArms(asked.arms);
  const { name } = own;
  if (name === `neighbor-${own.neighbor}` && neighbor !== own.neighbor)
    throw new Error(`study ${name} has its own neighbor; npm run lab -- run neighbor-${neighbor}`);
  if (asked.neighbor !== undefined && own.conditions?.some((condition) => condition.neighbor))
    throw new Error(`study ${name} has a neighbor for each condition; --conditions chooses among them`);
  const conditions = asked.conditions ? chooseConditions(own, asked.conditions) : own.conditions;
  const { viewers, bottleneck } = settingsForPlace(own, asked.place);
  const askedLink = readLink(asked);
  if (jobs > 1 && conditions?.some(({ history }) => history)) {
    throw new Error(`study ${name} has runs that remember the previous one, so it needs --jobs 1`);
  }
  if (jobs > 1 && conditions?.some(({ burst_packets }) => burst_packets !== undefined)) {
    throw new Error(`study ${name} sets the burst size of the whole machine, so it needs --jobs 1`);
  }
  if (Object.keys(askedLink).length > 0 && conditions?.some((condition) => condition.link)) {
    throw new Error(
      `study ${name} has its own links, so that --rate, --rtt, --queue and similar options do not apply`,
    );
  }
  const { edge: _, viewers: __, switch: ___, tuned, ...others } = own;
  const settings = {
    ...others,
    ...(tuned && !chosenArms && { tuned }),
    ...(chosenArms && { arms: inOrder(chosenArms.names, own.arms) }),
    ...(chosenArms && chosenArms.tuned.length > 0 && { tuned: chosenArms.tuned }),
    ...(conditions && { conditions }),
    ...(runs !== undefined && { runs }),
    ...(seconds !== undefined && { seconds }),
    ...(neighbor !== undefined && { neighbor }),
    ...(congestionControl !== undefined && { congestionControl }),
    ...(bottleneck !== undefined && { switch: bottleneck }),
    // The default edge is omitted, so that the settings equal those of older manifests, which name no edge.
    ...(edge !== undefined && edge !== DEFAULT_EDGE && { edge }),
    ...(viewers !== undefined && { viewers }),
    link: { ...own.link, ...askedLink },
  };
  for (const arm of arms) if (settings.arms.includes(arm.name)) checkArm(arm);
  if (asked.place) demandPlayable(settings.arms, unplayableAt(asked.place));
  if (asked.place?.link === 'virtual' && asked.edge !== undefined && asked.edge !== DEFAULT_EDGE)
    throw new Error(`--edge ${asked.edge} needs a real link: a virtual one only simulates an edge's rules`);
  if (settings.viewers === 'light' && edge === 'node-http2')
    throw new Error('--edge node-http2 needs --backend chromium or page: light viewers speak HTTP/1.1');
  for (const link of listLinks(settings)) checkEmulator(link, settings.switch ?? 'mahimahi');
  return settings;
}

/**
 * Returns the player and the link for the settings. Chromium and mahimahi are omitted, so that the settings equal those
 * of older manifests. The model has neither player nor link, so it leaves the study's own settings, as does a request
 * without a place.
 */
function settingsForPlace(own: SessionSettings, place: Place | undefined) {
  if (place === undefined) return { viewers: own.viewers, bottleneck: own.switch };
  const { backend, link } = place;
  const viewers = backend === 'model' ? own.viewers : backend === 'chromium' ? undefined : backend;
  const bottleneck = link === 'p4' ? link : own.switch === 'p4' ? undefined : own.switch;
  return { viewers, bottleneck };
}

/** Describes the arms that the place cannot play. */
const unplayableAt = ({ backend, link }: Place): Unplayable => ({
  otherPlayers:
    backend === 'page' || backend === 'chromium' ? undefined : ': it needs --backend page or chromium',
  partsOfSegments:
    backend === 'page' && link !== 'virtual' ? undefined : ': it needs --backend page --link p4',
});

/** The requested conditions, in the experiment's order. */
function chooseConditions(
  { name, conditions = [] }: SessionSettings,
  asked: readonly string[],
): readonly Condition[] {
  const unknown = asked.find((each) => conditions.every((condition) => condition.name !== each));
  if (unknown === undefined) return conditions.filter((condition) => asked.includes(condition.name));
  const known = conditions.map((condition) => condition.name).join(', ') || 'none';
  throw new Error(`study ${name} has no condition '${unknown}'; there are ${known}`);
}

/** The requested arms in the given order, except that the study's control comes first. */
const inOrder = (asked: readonly string[], [control]: readonly string[]): string[] => [
  ...new Set([...asked.filter((arm) => arm === control), ...asked]),
];

import { isVirtualControl, type VirtualControl } from '../../../buffers/packets/controls/control-named.ts';
import { asFields, asList, asText } from '../../ground/files/check.ts';
import { checkAnySettings } from '../../harness/runs/manifest.ts';
import { everyRun, type StudyRequest, type Plan, type Settings } from '../../harness/runs/study.ts';
import { demandPlayable } from '../../player/arms/check-arm.ts';
import { armNamed } from '../../player/arms/index.ts';
import { getSite, WARM_UP_S, type Switches } from './demand.ts';
import type { BUFFER_VIDEO_OPTIONS } from './options.ts';
import { SITE_NAMES, sites, listStacks, type SiteName } from './sites.ts';

export interface BufferVideoSettings extends Settings {
  readonly sites: readonly SiteName[];
  readonly arms: readonly string[];
  /** Measures only rows of Table 5.1 whose buffers differ by a factor of ten or more; by default, all rows. */
  readonly quick?: boolean;
  readonly congestion_control: VirtualControl;
  readonly switches: Switches;
}

/** A site whose viewers all use one arm. */
export interface BufferVideoCell {
  readonly name: string;
  readonly site: SiteName;
  readonly arm: string;
}

/** The time to start link, edges and viewers, s. */
const LIVE_START_S = 6;
const LIVE_QUEUES = 2;
/** The sites whose routers have the live switch's number of queues. */
const LIVE_SITES = SITE_NAMES.filter((name) => sites[name].queues === LIVE_QUEUES);
const HOURS = 8;
const SECONDS = 40;
/**
 * The time that an hour takes in the packet model in addition to its length. It is 0, because the model simulates a
 * second of six stacks in about 0.1 s.
 */
const OVERHEAD_S = 0;

/** Plans the hours. Throws an Error of one line for an unknown arm. */
export function planBufferVideo(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: StudyRequest<typeof BUFFER_VIDEO_OPTIONS>,
  before?: BufferVideoSettings,
): Plan<BufferVideoSettings> {
  const isLive = asked.place?.backend === 'light';
  const settings: BufferVideoSettings = {
    ...about,
    runs: asked.hours ?? before?.runs ?? HOURS,
    seconds: asked.seconds ?? before?.seconds ?? SECONDS,
    sites: asked.sites ?? before?.sites ?? (isLive ? LIVE_SITES : SITE_NAMES),
    arms: asked.arms ?? before?.arms ?? ['dashjs'],
    quick: asked.quick ?? before?.quick ?? false,
    congestion_control: asked.cc ?? before?.congestion_control ?? 'reno',
    switches: {
      queues: asked.queues ?? before?.switches.queues,
      window_bytes: asked.window === undefined ? before?.switches.window_bytes : 1024 * asked.window,
    },
  };
  // Throws an Error for an unknown arm.
  settings.arms.forEach(armNamed);
  demandPlayable(settings.arms, {
    otherPlayers: asked.place?.backend === 'page' ? undefined : ': it needs --backend page',
    partsOfSegments: ', which the packet model does not serve',
  });
  if (isLive) requireLive(settings);
  return {
    settings,
    runs: everyRun(
      settings.runs,
      listCells(settings).map(({ name }) => name),
    ),
    units: `in the names of the fields; each hour is ${settings.seconds} s after a warm-up of ${WARM_UP_S} s`,
    overhead_s: isLive ? liveOverhead_s(settings) : OVERHEAD_S,
  };
}

/** The time to run all stacks of an hour one after the other, minus the length of the hour. */
function liveOverhead_s({ sites: names, seconds, quick }: BufferVideoSettings): number {
  const stacks = Math.max(...names.map((name) => listStacks(name, quick).length));
  return stacks * (WARM_UP_S + LIVE_START_S) + (stacks - 1) * seconds;
}

/** Throws an Error of one line if the live switch or the kernel does not support the settings. */
function requireLive({ sites: names, switches }: BufferVideoSettings): void {
  const other = names.find((name) => getSite(name, switches).queues !== LIVE_QUEUES);
  if (other !== undefined)
    throw new Error(
      `--backend light: ${other} has more queues than the live switch's two; try --sites ${LIVE_SITES.join()}`,
    );
  if (switches.window_bytes !== undefined)
    throw new Error("--window needs virtual time: with --backend light, receive windows are the kernel's");
}

export const listCells = ({ sites, arms }: BufferVideoSettings): BufferVideoCell[] =>
  arms.flatMap((arm) => sites.map((site) => ({ name: `${site}-${arm}`, site, arm })));

export function checkBufferVideoSettings(value: unknown): BufferVideoSettings {
  checkAnySettings(value);
  const settings = asFields(value, 'experiment');
  for (const key of ['sites', 'arms'] as const)
    for (const name of asList(settings[key], `experiment: ${key}`)) asText(name, `experiment: one of ${key}`);
  const control = asText(settings.congestion_control, 'experiment: congestion_control');
  if (!isVirtualControl(control))
    throw new Error(`there is no congestion control '${control}' in virtual time`);
  asFields(settings.switches, 'experiment: switches');
  return value as BufferVideoSettings;
}

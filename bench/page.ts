import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualLink } from '../emulation/player/page/in-process/virtual-link.ts';
import { packaged } from '../emulation/player/page/lab/scripts.ts';
import type { Wire } from '../emulation/player/page/network/wire.ts';
import { openPage } from '../emulation/player/page/open-page.ts';
import { filmFor } from '../emulation/player/model/player/film-for.ts';
import { seededRandom } from '../emulation/ground/statistics/random.ts';
import { constantRate } from '../emulation/network/virtual/rounds/rates.ts';
import { bigBuckBunny } from '../media/films/big-buck-bunny.ts';
import { root } from '../tools/steps.ts';

const SECONDS = 300;
/** The target for the CPU seconds of a session without the plug-in. */
const TARGET_S = 0.6;
/** The target for the factor by which the plug-in increases these CPU seconds. */
const TARGET_RATIO = 1.1;
/** The target for the factor with the planner instead of the default algorithm. */
const PLANNER_TARGET_RATIO = 1.2;
const PLANNER = '(() => { const abr = dashjsSammyPlanner.planner(); return { abr, pace: abr }; })()';

const playWith = (options: string): string => `
  const player = dashjs.MediaPlayer().create();
  if (typeof dashjsSammy === 'object') dashjsSammy.attachSammy(player, ${options});
  player.initialize(document.createElement('video'), 'http://film.example/manifest.mpd', true);
`;

interface Script {
  readonly code: string;
  readonly filename: string;
}

/**
 * The players: dash.js alone (`stock`); the plug-in without pacing (`unpaced`); the plug-in (`plugin`); dash.js alone
 * with an edge that paces each segment as it did for the plug-in (`paced`); and the plug-in with `planner()`
 * (`planner`). `paced` is needed because longer downloads have more progress events, which dash.js itself handles.
 */
export const PAGE_ARMS = ['stock', 'unpaced', 'plugin', 'paced', 'planner'] as const;
export type PageArm = (typeof PAGE_ARMS)[number];

/** User CPU seconds of a five-minute session of dash.js in an in-process page: the minimum over all rounds, by arm. */
export type PageCost<Arm extends PageArm = PageArm> = Readonly<Record<Arm, number>>;

/**
 * Plays the arms in turn for `count` rounds, with the plug-in in `dist/`. On a busy machine, the minimum of fewer than
 * 12 rounds is not reproducible.
 */
export function benchPage<Arm extends PageArm>(arms: readonly Arm[], count = 12): PageCost<Arm> {
  const [plugin, planner] = [readBuilt('dashjs-sammy.umd.js'), readBuilt('dashjs-sammy-planner.umd.js')];
  const asked = new Map<string, string>();
  const play: Readonly<Record<PageArm, () => number>> = {
    stock: () => measureCost([], (wire) => wire),
    unpaced: () => measureCost([plugin], (wire) => wire, '{ pacing: false }'),
    plugin: () => measureCost([plugin], (wire) => recordingQueries(wire, asked)),
    paced: () => measureCost([], (wire) => withQueries(wire, asked)),
    planner: () => measureCost([plugin, planner], (wire) => wire, PLANNER),
  };
  const least_s = Object.fromEntries(arms.map((arm) => [arm, Infinity])) as Record<Arm, number>;
  for (let round = 0; round < count; round++)
    for (const arm of arms) least_s[arm] = Math.min(least_s[arm], play[arm]());
  return least_s;
}

function readBuilt(name: string): Script {
  const filename = join(root, 'dist', name);
  return { code: readFileSync(filename, 'utf8'), filename };
}

/** Records the query of each request, which contains the pace, by the rest of its URL. */
const recordingQueries = (wire: Wire, asked: Map<string, string>): Wire => ({
  ask(request, listener) {
    const { origin, pathname, search } = new URL(request.url);
    asked.set(origin + pathname, search);
    return wire.ask(request, listener);
  },
});

/** Adds the recorded queries to the requests without the page's knowledge. */
const withQueries = (wire: Wire, asked: ReadonlyMap<string, string>): Wire => ({
  ask: (request, listener) =>
    wire.ask({ ...request, url: request.url + (asked.get(request.url) ?? '') }, listener),
});

function measureCost(scripts: readonly Script[], over: (wire: Wire) => Wire, options = '{}'): number {
  const began = process.cpuUsage();
  const network = { capacity: constantRate(40), rtt_ms: 5, queue_bytes: 100_000 };
  const link = new VirtualLink({ network, film: filmFor(bigBuckBunny, SECONDS) });
  const page = openPage({
    ...{ clock: link.clock, wire: over(link.wire), url: 'http://film.example/', opened_ms: 1.7e12 },
    random: seededRandom(1),
    globals: { console: { log: () => undefined, warn: () => undefined, error: () => undefined } },
  });
  const session = { code: playWith(options), filename: 'session.js' };
  for (const { code, filename } of [packaged('dashjs'), ...scripts, session]) page.load(code, filename);
  let isOver = false;
  link.clock.at(SECONDS * 1000, () => (isOver = true));
  link.run(() => isOver, SECONDS * 1000);
  return process.cpuUsage(began).user / 1e6;
}

export function pageLines({ stock, unpaced, plugin, paced, planner }: PageCost): string[] {
  const ratio = (arm_s: number, to_s = stock) => (arm_s / to_s).toFixed(2);
  return [
    `${SECONDS} s of dash.js in process: ${stock.toFixed(2)} CPU s stock (target: at most ${TARGET_S}), ` +
      `${plugin.toFixed(2)} with the plug-in, ratio ${ratio(plugin)} (target: at most ${TARGET_RATIO})`,
    `  stock behind an edge that paces as for the plug-in: ratio ${ratio(paced)}; the plug-in to that: ${ratio(plugin, paced)}`,
    `  the plug-in with pacing off: ratio ${ratio(unpaced)}`,
    `  the plug-in with the planner: ratio ${ratio(planner)} (target: at most ${PLANNER_TARGET_RATIO})`,
  ];
}

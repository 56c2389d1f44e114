import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VirtualLink } from '../emulation/player/page/in-process/virtual-link.ts';
import { packaged } from '../emulation/player/page/lab/scripts.ts';
import { openPage } from '../emulation/player/page/open-page.ts';
import { filmFor } from '../emulation/player/simulator/player/film-for.ts';
import { seededRandom } from '../emulation/ground/statistics/random.ts';
import { constantRate } from '../emulation/network/virtual/rounds/rates.ts';
import { bigBuckBunny } from '../media/films/big-buck-bunny.ts';
import { root } from '../tools/steps.ts';

const SECONDS = 300;
/** Processor time of a session without the plug-in, s, and how much more one with it may take. */
const TARGET_S = 0.6;
const TARGET_RATIO = 1.1;

const PLAY = `
  const player = dashjs.MediaPlayer().create();
  if (typeof dashjsSammy === 'object') dashjsSammy.attachSammy(player);
  player.initialize(document.createElement('video'), 'http://film.example/manifest.mpd', true);
`;

/** Processor time, user's, of a session of five minutes of dash.js in a page in process, s: the least of all rounds. */
export interface PageCost {
  readonly stock_s: number;
  readonly plugin_s: number;
  /** Of these two. */
  readonly ratio: number;
}

/** With the plug-in as it is built in `dist/`, and without, in turn, so many rounds. */
export function benchPage(count = 5): PageCost {
  const filename = join(root, 'dist/dashjs-sammy.umd.js');
  const plugin = { code: readFileSync(filename, 'utf8'), filename };
  const rounds = Array.from({ length: count }, () => ({ stock_s: costOf([]), plugin_s: costOf([plugin]) }));
  const stock_s = Math.min(...rounds.map((round) => round.stock_s));
  const plugin_s = Math.min(...rounds.map((round) => round.plugin_s));
  return { stock_s, plugin_s, ratio: plugin_s / stock_s };
}

function costOf(scripts: readonly { readonly code: string; readonly filename: string }[]): number {
  const began = process.cpuUsage();
  const network = { capacity: constantRate(40), rtt_ms: 5, queue_bytes: 100_000 };
  const link = new VirtualLink({ network, film: filmFor(bigBuckBunny, SECONDS) });
  const page = openPage({
    ...{ clock: link.clock, wire: link.wire, url: 'http://film.example/', opened_ms: 1.7e12 },
    random: seededRandom(1),
    globals: { console: { log: () => undefined, warn: () => undefined, error: () => undefined } },
  });
  for (const { code, filename } of [packaged('dashjs'), ...scripts, { code: PLAY, filename: 'session.js' }])
    page.load(code, filename);
  let over = false;
  link.clock.at(SECONDS * 1000, () => (over = true));
  link.run(() => over, SECONDS * 1000);
  return process.cpuUsage(began).user / 1e6;
}

export const pageLines = ({ stock_s, plugin_s, ratio }: PageCost): string[] => [
  `${SECONDS} s of dash.js in process: ${stock_s.toFixed(2)} CPU s stock (target: at most ${TARGET_S}), ` +
    `${plugin_s.toFixed(2)} with the plug-in, ratio ${ratio.toFixed(2)} (target: at most ${TARGET_RATIO})`,
];

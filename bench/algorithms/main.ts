import type { Arm } from '../../emulation/player/arms/arm.ts';
import { armNamed } from '../../emulation/player/arms/index.ts';
import { ALGORITHM_PAIRS } from '../../emulation/player/arms/other-algorithms.ts';
import { cellular } from '../../emulation/network/links/trace-files/read-traces.ts';
import type { SimulatedNetwork } from '../../emulation/player/model/simulated-session.ts';
import { simulatedFilm } from '../../emulation/player/virtual-time/simulated-film.ts';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { DEFAULTS } from '../../src/options.ts';
import { withoutUndefined } from '../../src/records.ts';
import { smooth } from '../../src/pace/smooth.ts';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { list, wholeNumber } from '../../system/command-line/parsers.ts';
import { frontier } from './frontier/frontier.ts';
import { attainable } from './foreknowledge/attainable.ts';
import { invariance } from './invariance.ts';
import { constant, meanOrNaN, play, meanSsim, traced, varying, type Film } from './play.ts';
import { leastAtPace, paceShares } from './pace-shares.ts';
import { onTraces } from './traces.ts';
import { SHOWN, writeFront } from './viewer/write-front.ts';

const START_MBPS = [0.6, 0.8, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const START_S = 40;
const LTE = ['TMobile-LTE-driving', 'TMobile-LTE-short', 'Verizon-LTE-driving'];
const PAPER_MBPS = 40;
const FAST_S = 120;
const SHORTAGE_S = 300;
/** The seed of the random places of --front. */
const PLACES_SEED = 31;

const USUAL = { sessions: 200, seconds: 180, places: 2, known: 8 };

const commandLine = defineCommandLine({
  command: 'npm run bench -- algorithms',
  about:
    'Each algorithm in the simulator, for the tables of docs/results/log/algorithms.md: whether its pace changes what is watched, the start, fast networks, a lasting shortage.',
  options: {
    sessions: {
      valueName: 'N',
      about: `in which what is watched is compared (${USUAL.sessions})`,
      parse: wholeNumber(1),
    },
    traces: { valueName: 'FILE|DIR', about: 'instead: traces of your own, against stock dash.js' },
    attainable: { about: 'with --traces: how much of what perfect knowledge would gain there' },
    seconds: { valueName: 'S', about: `of each session there (${USUAL.seconds})`, parse: wholeNumber(1) },
    frontier: { about: 'instead: how low chunk throughput can be on LTE, and at what price' },
    front: {
      valueName: 'FILE,FILE',
      about: 'instead: stalls against SSIM at random places of several sets of traces, and the picture',
      parse: list,
    },
    out: { valueName: 'NAME', about: 'with --front: the files, without their endings (front)' },
    places: { valueName: 'N', about: `with --front: of each trace (${USUAL.places})`, parse: wholeNumber(1) },
    known: {
      valueName: 'N',
      about: `with --front: segments that who knows the future looks ahead (${USUAL.known})`,
      parse: wholeNumber(1),
    },
    arms: { valueName: 'A,B', about: 'with --front (those of the picture)', parse: list },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { sessions, seconds, places, known } = { ...USUAL, ...withoutUndefined(values) };
  const content = await ensureDefaultContent();
  const film = await simulatedFilm(content, Math.max(seconds, SHORTAGE_S));
  const arms = ALGORITHM_PAIRS.map(([paced]) => paced);
  if (values.front !== undefined)
    await writeFront(values.out ?? 'front', values.front, film, {
      arms: values.arms ?? Object.keys(SHOWN).slice(1),
      ...{ places, known, seed: PLACES_SEED, seconds },
    });
  else if (values.frontier)
    for (const table of Object.values(await frontier(film, seconds))) console.table(table);
  else if (values.traces === undefined) {
    console.table(arms.map((arm) => starts(arm, film)));
    console.table(
      await Promise.all(arms.flatMap((arm) => [armNamed(arm), smoothed(arm)]).map((arm) => fast(arm, film))),
    );
    console.table(
      (await Promise.all(['sammy-paper', smoothed('sammy-paper')].map((arm) => limits(arm, film)))).flat(),
    );
    console.table(['dashjs', ...arms].map((arm) => shortage(arm, film)));
    const networks = varying(sessions, 14);
    for (const pair of ALGORITHM_PAIRS)
      console.table([{ arm: pair[0], ...invariance(pair, film, networks) }]);
  } else console.table(await (values.attainable ? attainable : onTraces)(values.traces, arms, film, seconds));
}

/** The worst over the rates, against stock dash.js: SSIM of the first 20 s, and the play delay. */
function starts(arm: string, film: Film) {
  const rows = START_MBPS.map((mbps) => {
    const [ours, stock] = [arm, 'dashjs'].map((name) => play(name, film, constant(mbps), START_S).summary);
    return {
      mbps,
      ssim_db: (ours?.initial_ssim_db ?? NaN) - (stock?.initial_ssim_db ?? NaN),
      delay_pct: 100 * ((ours?.play_delay_ms ?? NaN) / (stock?.play_delay_ms ?? NaN) - 1),
    };
  });
  const worst = (key: 'ssim_db' | 'delay_pct', sign: number) =>
    rows.reduce((a, b) => (sign * b[key] > sign * a[key] ? b : a));
  const [ssim, delay] = [worst('ssim_db', -1), worst('delay_pct', 1)];
  return {
    arm,
    worst_ssim_db: ssim.ssim_db.toFixed(2),
    at_mbps: ssim.mbps,
    worst_delay_pct: delay.delay_pct.toFixed(1),
    delay_at_mbps: delay.mbps,
    mean_ssim_db: meanOrNaN(rows.map(({ ssim_db }) => ssim_db)).toFixed(2),
  };
}

/** The same algorithm with the pace planned from the sizes. */
function smoothed(arm: string): Arm {
  const { sammy } = armNamed(arm);
  return { name: `${arm} smooth`, about: '', sammy: { ...sammy, pace: smooth({ reserve_s: 12 }) } };
}

/** Three LTE traces, and the paper's link. */
async function fastNetworks() {
  const lte = LTE.map((trace) => traced({ name: trace, link: cellular(trace), duration_ms: 0 }));
  return [...(await Promise.all(lte)), { ...constant(PAPER_MBPS, 5), queue_bytes: 100_000 }];
}

/**
 * Shows the limits of chunk throughput on these networks: the shares of downloads without a pace, limited by the network and
 * limited by the pace.
 */
async function limits(arm: string | Arm, film: Film) {
  return (await fastNetworks()).map((link, index) => {
    const [ours, stock] = [arm, 'dashjs'].map((each) => play(each, film, link, FAST_S));
    if (!ours || !stock) throw new Error('no session');
    const { unpaced, network, pace } = paceShares(ours);
    const top_kbps = Math.max(...film.ladders.video.map(({ bitrate_kbps }) => bitrate_kbps));
    const at = (multiple: number) => leastAtPace(link.capacity, (multiple * top_kbps) / 1000, FAST_S);
    return rounded({
      arm: typeof arm === 'string' ? arm : arm.name,
      network: LTE[index] ?? `${PAPER_MBPS} Mbit/s`,
      stock_mbps: (stock.summary.chunk_throughput_kbps ?? NaN) / 1000,
      ours_mbps: (ours.summary.chunk_throughput_kbps ?? NaN) / 1000,
      unpaced_pct: unpaced.pct,
      unpaced_mbps: unpaced.mbps,
      network_pct: network.pct,
      network_mbps: network.mbps,
      pace_pct: pace.pct,
      pace_mbps: pace.mbps,
      link_mbps: at(Infinity),
      at_c0_mbps: at(DEFAULTS.c0),
      at_c1_mbps: at(DEFAULTS.c1),
    });
  });
}

function rounded(row: Readonly<Record<string, string | number>>) {
  const text = (value: string | number) => (typeof value === 'number' ? value.toFixed(1) : value);
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]));
}

/** Against stock dash.js where the network is no limit. */
async function fast(arm: Arm, film: Film) {
  const of = (network: SimulatedNetwork) => {
    const [ours, stock] = [arm, armNamed('dashjs')].map((each) => play(each, film, network, FAST_S));
    if (!ours || !stock) throw new Error('no session');
    const rate = (session: typeof ours) => session.summary.chunk_throughput_kbps ?? NaN;
    return {
      stalls: ours.summary.rebuffer_count,
      ssim_db: meanSsim(ours) - meanSsim(stock),
      throughput_pct: 100 * (rate(ours) / rate(stock) - 1),
    };
  };
  const all = (await fastNetworks()).map(of);
  return {
    arm: arm.name,
    stalls: all.reduce((sum, { stalls }) => sum + stalls, 0),
    least_ssim_db: Math.min(...all.map(({ ssim_db }) => ssim_db)).toFixed(2),
    lte_and_paper_throughput_pct: all.map(({ throughput_pct }) => throughput_pct.toFixed(0)).join(' '),
  };
}

/** 60% of the top bitrate. */
function shortage(arm: string, film: Film) {
  const top_kbps = Math.max(...film.ladders.video.map(({ bitrate_kbps }) => bitrate_kbps));
  const { summary } = play(arm, film, constant((0.6 * top_kbps) / 1000), SHORTAGE_S);
  const { switches, rebuffer_count, mean_ssim_db } = summary;
  return { arm, switches, rebuffer_count, ssim_db: mean_ssim_db?.toFixed(2) };
}

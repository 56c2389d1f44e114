import { viaPath } from '../../edge/via.ts';
import { DEFAULTS } from '../../src/index.ts';
import { ARMS, type Arm } from '../arms.ts';
import type { DemoFacts } from '../facts.ts';
import type { Measures } from '../measures/measures.ts';
import { ActiveTime } from './arms/active-time.ts';
import { ArmCharts, SharedAxes } from './arms/arm-charts.ts';
import { ArmPlayer } from './arms/arm-player.ts';
import { ArmView } from './arms/arm-view.ts';
import { turnAt } from './arms/turns.ts';
import { Comparison } from './comparison/comparison.ts';
import { isComparable, neighborVerdict, trafficVerdict } from './comparison/verdict.ts';
import { summarizeTurns } from './comparison/summarize-turns.ts';
import { element, setText } from './elements.ts';
import { MeasuresClient } from './measures-client.ts';
import { SessionCharts } from './session-charts.ts';
import { showSegments, showSummaries } from './tables.ts';

const TICK_MS = 250;
/**
 * The content begins with a fade from black, and repeats after `CONTENT_S`. Rounds play different parts of it: the first
 * round begins at `FIRST_S`, each later one a turn later.
 */
const CONTENT_S = 60;
const FIRST_S = 24;

const facts = (await (await fetch('/demo.json')).json()) as DemoFacts;
const { film, bottleneck } = facts;
document.body.classList.toggle('behind', bottleneck !== null);

const forEachArm = <Result>(make: (arm: Arm) => Result): Record<Arm, Result> => ({
  stock: make('stock'),
  sammy: make('sammy'),
});
const problem = (text: string): void => {
  element('#problem', HTMLElement).hidden = false;
  setText('#problem', text);
};
const checked = (name: string): string =>
  document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value ?? '';

/**
 * The manifest given by `?mpd=URL`. If it is on another origin, the edge fetches it, provided that this origin is on
 * the edge's list.
 */
const asked = new URLSearchParams(location.search).get('mpd');
const isForeign = asked !== null && new URL(asked, location.href).origin !== location.origin;
const manifest =
  asked === null ? 'film/manifest.mpd' : (isForeign ? viaPath(asked) : asked).replace(/^\//, '');
const c0 = element('#c0', HTMLInputElement);
const c1 = element('#c1', HTMLInputElement);

const sessionCharts = new SessionCharts();
const comparison = new Comparison();
const axes = new SharedAxes(bottleneck);
const settings = {
  manifest,
  sidecar: asked === null ? 'film/quality.json' : null,
  buffer_s: bottleneck?.buffer_s ?? null,
  paces: () => ({ c0: Number(c0.value), c1: Number(c1.value) }),
  congestionControl: () => (isForeign ? '' : checked('cc')),
};

const arms = forEachArm((arm) => {
  const view = new ArmView(arm);
  const clock = new ActiveTime();
  const player = new ArmPlayer(arm, view.video, settings, {
    onDecision: (decision) => {
      if (arm === 'sammy') sessionCharts.addDecision(decision);
    },
    onLadder: (bitrates_kbps) => {
      if (arm === 'sammy') sessionCharts.setLadder(bitrates_kbps);
    },
    onError: (message) => void explain(player.manifestUrl, message),
  });
  view.video.addEventListener('ended', restart);
  return { view, clock, player, charts: new ArmCharts(arm, view.root, clock, axes) };
});

/**
 * Fetches the manifest again to show the edge's error message, because dash.js reports only that loading the manifest
 * failed.
 */
async function explain(url: string, message: string): Promise<void> {
  const response = await fetch(url).catch(() => undefined);
  const reason = response?.ok === false ? (await response.text()).trim() : message;
  problem(response ? reason : 'The server does not answer. Is npm start still running?');
}

let isPaused = false;
/** Time since the start, excluding pauses. It determines the turns. */
let elapsed_ms = 0;
let tickedAt_ms = performance.now();
/**
 * The arm and round of the current turn behind a bottleneck. Empty without a bottleneck, because both arms then play at
 * the same time.
 */
let turn = '';
let sessionStartedAt_ms = 0;

function begin(arm: Arm, from_s: number): void {
  const now_ms = performance.now();
  arms[arm].player.start(from_s);
  arms[arm].clock.begin(now_ms);
  arms[arm].view.setWaiting(null);
  if (arm !== 'sammy') return;
  sessionCharts.clear();
  sessionStartedAt_ms = now_ms;
}

function end(arm: Arm): void {
  arms[arm].player.stop();
  arms[arm].clock.end(performance.now());
}

function restart(): void {
  setPaused(false);
  [elapsed_ms, turn] = [0, ''];
  comparison.enter(null, performance.now());
  comparison.clear();
  for (const arm of ARMS) {
    end(arm);
    arms[arm].player.clear();
  }
  if (!bottleneck) for (const arm of ARMS) begin(arm, asked === null ? FIRST_S : 0);
  takeTurns();
}

/**
 * Starts the next turn when it is due. Behind a bottleneck the arms take turns, because two players at once would share
 * the link and neither would show its own effect.
 */
function takeTurns(): void {
  if (!bottleneck) return;
  const { arm, round, left_s } = turnAt(elapsed_ms / 1000, bottleneck.turn_s);
  const other = arm === 'stock' ? 'sammy' : 'stock';
  const name = `${arm} ${round}`;
  if (name !== turn) {
    turn = name;
    end(other);
    begin(arm, (FIRST_S + round * bottleneck.turn_s) % CONTENT_S);
  }
  comparison.enter(isPaused ? null : arm, performance.now());
  arms[other].view.setWaiting(`Next turn in ${Math.ceil(left_s)} s`);
}

function setPaused(paused: boolean): void {
  isPaused = paused;
  setText('#pause', paused ? 'Play' : 'Pause');
  for (const arm of ARMS) arms[arm].player.setPaused(paused);
}

function addMeasures({ traffic, queue, responses }: Measures): void {
  for (const row of traffic) for (const arm of ARMS) arms[arm].charts.addTraffic(row.bytes[arm], row);
  for (const row of queue) {
    comparison.addQueue(row);
    for (const arm of ARMS) arms[arm].charts.addQueue(row);
  }
  for (const row of responses) {
    const arm = comparison.addResponse(row);
    if (arm) arms[arm].charts.addResponse(row);
  }
}

function show(): void {
  const summaries = forEachArm((arm) => summarizeTurns(arms[arm].player.summaries));
  const networks = forEachArm((arm) => comparison.figures(arm));
  for (const arm of ARMS) {
    arms[arm].view.showSession(summaries[arm]);
    arms[arm].view.showNetwork(networks[arm]);
    arms[arm].charts.setMedian(networks[arm].response_ms);
  }
  const { pacedSegments } = arms.sammy.player;
  showSummaries(summaries, {
    hasBottleneck: bottleneck !== null,
    comparable: isComparable(pacedSegments),
  });
  const verdict = bottleneck
    ? neighborVerdict(networks, summaries)
    : trafficVerdict(summaries, pacedSegments);
  if (verdict) {
    setText('#headline', verdict.headline);
    setText('#detail', verdict.detail);
  }
  const { player } = arms.sammy;
  if (!player.isPlaying) return;
  if (player.decisions.length > 0) showSegments(player.decisions);
  const time_s = (performance.now() - sessionStartedAt_ms) / 1000;
  sessionCharts.addBuffer(time_s, player.bufferLevel('video'), player.bufferLevel('audio'));
}

function describePaces(): void {
  setText('#c0-value', `${Number(c0.value).toFixed(1)} x top bitrate`);
  setText('#c1-value', `${Number(c1.value).toFixed(1)} x top bitrate`);
}

/** Shows the fixed facts: the link, the credit, and the limitations of this server. */
function describeServer(): void {
  setText('#credit', asked ?? `${film.title}. ${film.credit}. ${film.license}.`);
  setText(
    '#note',
    bottleneck
      ? `Both players use a link of ${bottleneck.mbps} Mbit/s with a ${bottleneck.rtt_ms} ms round-trip time and a queue of ` +
          `${Math.round(bottleneck.queue_bytes / 1000)} kB (${Math.round(bottleneck.full_ms)} ms), which a neighbor shares. ` +
          'They take turns, so that each has the same network, and each turn starts a new session.'
      : 'The charts show what the server sent. Without a network between server and browser, stock dash.js downloads at the speed of ' +
          'this machine, and retransmissions are noise. To see what a neighbor gains: sudo npm start -- --bottleneck 40',
  );
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name=cc]')) {
    input.disabled = isForeign || !facts.congestionControls.includes(input.value);
    if (input.disabled && input.checked) input.checked = false;
  }
  if (bottleneck) {
    setText(
      '#detail',
      "The first figures come when the neighbor's downloads have ended beside both players.",
    );
    element(`input[name=appetite][value=${bottleneck.appetite}]`, HTMLInputElement).checked = true;
  }
  if (facts.cannotPace) {
    setText('#headline', 'Nothing to compare: this machine cannot pace.');
    problem(`This machine cannot pace: ${facts.cannotPace}`);
  }
}

element('#controls', HTMLElement).addEventListener('input', ({ target }) => {
  describePaces();
  arms.sammy.player.update();
  if (target instanceof HTMLInputElement && target.name === 'appetite') comparison.clear();
});
element('#pause', HTMLElement).addEventListener('click', () => setPaused(!isPaused));
element('#restart', HTMLElement).addEventListener('click', restart);
addEventListener('pagehide', () => ARMS.forEach(end));

[c0.value, c1.value] = [String(DEFAULTS.c0), String(DEFAULTS.c1)];
describePaces();
describeServer();
restart();
new MeasuresClient(() => checked('appetite') || 'modest', addMeasures);
setInterval(() => {
  const now_ms = performance.now();
  if (!isPaused) elapsed_ms += now_ms - tickedAt_ms;
  tickedAt_ms = now_ms;
  takeTurns();
  show();
}, TICK_MS);

import { MediaPlayer, type MediaPlayerClass } from 'dashjs';
import { viaPath } from '../../edge/via.ts';
import {
  attachSammy,
  DEFAULTS,
  sessionSummary,
  sidecar,
  type SammyHandle,
  type SessionSummary,
} from '../../src/index.ts';
import type { DemoFacts } from '../facts.ts';
import { BottleneckPanel } from './bottleneck/bottleneck-panel.ts';
import { Charts } from './charts.ts';
import { showDecisions, showSummary } from './tables.ts';

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${kind.name} #${id} on this page`);
  return found;
}
const text = (id: string, content: string) => {
  element(id, HTMLElement).textContent = content;
};
const status = (content: string, isError = false) => {
  text('status', content);
  element('status', HTMLElement).classList.toggle('error', isError);
};

const LAST_WITHOUT = 'dashjs-sammy-demo:last-without';
const lastWithout = (): SessionSummary | undefined => {
  try {
    return (JSON.parse(localStorage.getItem(LAST_WITHOUT) ?? 'null') ?? undefined) as
      | SessionSummary
      | undefined;
  } catch {
    return undefined;
  }
};
/** Sessions shorter than this are not kept for comparison. */
const COMPARABLE_FROM_S = 8;

/** Nearer to its target than two segments, the player may wait before it downloads the next one. */
const NEARLY_FULL_S = 4;

const facts = (await (await fetch('/demo.json')).json()) as DemoFacts;
const { film, bottleneck } = facts;
const charts = new Charts();
const video = element('video', HTMLVideoElement);
const controls = {
  sammy: element('sammy', HTMLInputElement),
  c0: element('c0', HTMLInputElement),
  c1: element('c1', HTMLInputElement),
  congestionControl: () => document.querySelector<HTMLInputElement>('input[name=cc]:checked')?.value ?? '',
};

/** `?mpd=URL` plays that manifest through the edge, which has a list of the origins it may fetch from. */
const asked = new URLSearchParams(location.search).get('mpd');
const foreign = asked !== null && new URL(asked, location.href).origin !== location.origin;
const mpd = new URL(asked === null ? '/film/manifest.mpd' : foreign ? viaPath(asked) : asked, location.href)
  .href;

let player: MediaPlayerClass | undefined;
const panel =
  bottleneck &&
  new BottleneckPanel(bottleneck, {
    mode: () => (controls.sammy.checked ? 'with' : 'without'),
    isFilling: () => {
      const { buffered, currentTime, paused } = video;
      const end_s = buffered.length > 0 ? buffered.end(buffered.length - 1) : 0;
      return !paused && end_s - currentTime < bottleneck.buffer_s - NEARLY_FULL_S;
    },
  });
let sammy: SammyHandle | undefined;
/** Whether Sammy was on: all the time, never, or both. */
let modes = new Set<string>();
let startedAt = 0;

const options = () => ({
  c0: Number(controls.c0.value),
  c1: Number(controls.c1.value),
  ...(controls.sammy.checked
    ? { abr: 'hyb' as const, pacing: true }
    : { abr: 'player' as const, pacing: false }),
});
const longBuffer = (seconds: number) => ({
  bufferTimeDefault: seconds,
  bufferTimeAtTopQuality: seconds,
  bufferTimeAtTopQualityLongForm: seconds,
});
const modeName = () => (modes.size > 1 ? 'both ways' : [...modes].join(''));

function keepIfWithout(): void {
  if (!sammy || modes.size !== 1 || !modes.has('without Sammy')) return;
  const { summary } = sammy;
  if (summary && summary.played_s >= COMPARABLE_FROM_S)
    localStorage.setItem(LAST_WITHOUT, JSON.stringify(summary));
}

function end(): void {
  keepIfWithout();
  sammy?.detach();
  player?.destroy();
  [player, sammy] = [undefined, undefined];
}

function start(): void {
  end();
  charts.clear();
  panel?.restart();
  modes = new Set([controls.sammy.checked ? 'with Sammy' : 'without Sammy']);
  startedAt = performance.now();
  player = MediaPlayer().create();
  player.updateSettings({
    streaming: {
      // A server that restarts is back within seconds; three attempts a second apart would give up before.
      retryAttempts: { MediaSegment: 30, InitializationSegment: 30 },
      ...(bottleneck && { buffer: longBuffer(bottleneck.buffer_s) }),
    },
  });
  // The congestion control is the server's affair; this demo's server lets the page choose.
  player.addRequestInterceptor((request) => {
    const url = new URL(request.url);
    if (!foreign && controls.congestionControl()) url.searchParams.set('cc', controls.congestionControl());
    return Promise.resolve({ ...request, url: url.href });
  });
  sammy = attachSammy(player, {
    ...options(),
    summary: sessionSummary,
    ...(asked === null && { sidecar: sidecar('/film/quality.json') }),
  });
  sammy.on('decision', (decision) => {
    charts.addDecision(decision);
    show();
  });
  sammy.on('warning', ({ message }) => {
    console.warn(message);
  });
  const current = player;
  player.on('streamInitialized', () => {
    // A player that was replaced while its manifest loaded still tells this, and refuses to be asked.
    if (current !== player) return;
    charts.setLadder(current.getRepresentationsByType('video').map(({ bandwidth }) => bandwidth / 1000));
  });
  player.on('error', ({ error }) => void explain(typeof error === 'object' ? error.message : error));
  player.on('playbackEnded', () => {
    keepIfWithout();
    status('The end. Restart with or without Sammy.');
  });
  player.initialize(video, mpd, true);
}

/** Asks the edge for the reason in one line, since dash.js only says that the manifest failed. */
async function explain(message: string): Promise<void> {
  const response = await fetch(mpd).catch(() => undefined);
  const reason = response?.ok === false ? (await response.text()).trim() : message;
  status(response ? reason : 'The edge does not answer; is npm start still running?', true);
}

function show(): void {
  if (!sammy?.summary) return;
  showSummary(modeName(), sammy.summary, lastWithout());
  showDecisions(sammy.decisions);
}

function describeControls(): void {
  text(
    'sammy-means',
    controls.sammy.checked
      ? 'picks bitrates and asks for paces'
      : "dash.js's own rules, as fast as the network allows",
  );
  text('c0-value', `${Number(controls.c0.value).toFixed(1)} x top bitrate`);
  text('c1-value', `${Number(controls.c1.value).toFixed(1)} x top bitrate`);
}

function update(): void {
  describeControls();
  modes.add(controls.sammy.checked ? 'with Sammy' : 'without Sammy');
  sammy?.update(options());
  show();
}

element('controls', HTMLElement).addEventListener('input', update);
element('pause', HTMLElement).addEventListener('click', () => {
  if (video.paused) void video.play();
  else video.pause();
});
for (const [id, on] of [
  ['restart-on', true],
  ['restart-off', false],
] as const) {
  element(id, HTMLElement).addEventListener('click', () => {
    controls.sammy.checked = on;
    describeControls();
    start();
  });
}
for (const name of ['play', 'pause']) {
  video.addEventListener(name, () => {
    text('pause', video.paused ? 'Play' : 'Pause');
  });
}
addEventListener('pagehide', end);

setInterval(() => {
  if (!player || !sammy || !player.isReady() || video.ended) return;
  const level = (type: 'video' | 'audio'): number | null => {
    const seconds = player?.getBufferLength(type) ?? NaN;
    return Number.isFinite(seconds) ? seconds : null;
  };
  charts.addBuffer((performance.now() - startedAt) / 1000, level('video'), level('audio'));
  const last = sammy.decisions.findLast(({ media_type }) => media_type === 'video');
  if (!last || element('status', HTMLElement).classList.contains('error')) return;
  const pace =
    last.applied_kbps === undefined
      ? 'the server sends no receipt'
      : last.applied_kbps === null
        ? 'served unpaced'
        : `paced at ${(last.applied_kbps / 1000).toFixed(1)} Mbit/s`;
  status(`${sammy.phase} phase · ${(last.bitrate_kbps / 1000).toFixed(1)} Mbit/s video · ${pace}`);
}, 250);

controls.c0.value = String(DEFAULTS.c0);
controls.c1.value = String(DEFAULTS.c1);
text('credit', asked ?? `${film.title}. ${film.credit}. ${film.license}.`);
for (const input of document.querySelectorAll<HTMLInputElement>('input[name=cc]')) {
  input.disabled = foreign || !facts.congestionControls.includes(input.value);
  if (input.disabled && input.checked) input.checked = false;
}
if (!bottleneck && ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) {
  text(
    'network-note',
    'RTT, ms; retransmitted, kB. This is loopback: no queue to fill, what shows is scheduling',
  );
}
if (facts.cannotPace) status(`This machine cannot pace: ${facts.cannotPace}`, true);
describeControls();
start();

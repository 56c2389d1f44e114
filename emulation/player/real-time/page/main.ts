import { MediaPlayer } from 'dashjs';
import { sessionSummary, type CompletedDecision } from '../../../../src/index.ts';
import { describePlace } from '../../../../src/host/browser/place.ts';
import { InitialThroughputHistory, sessionsAt } from '../../../../src/learning/history.ts';
import { kbps, milliseconds } from '../../../../src/units.ts';
import { readSidecar, sizesFromSidecar } from '../../../../src/film/sidecar.ts';
import { armNamed } from '../../arms/index.ts';
import { armFromTuned } from '../../arms/tuned.ts';
import { makeMemoryStorage } from '../../records/memory-storage.ts';
import {
  type LabPage,
  type Play,
  PLAYBACK_EVENTS,
  type PlaybackEvent,
  type Played,
  type PlayerError,
} from '../../records/play.ts';
import { PLAYERS } from './players.ts';
import { ViewerStay } from './stay.ts';

declare global {
  interface Window {
    lab: LabPage;
    /** Reports to the lab outside that playback has begun, for the neighbors. */
    labPlaying?: () => void;
  }
}

const BUFFER_EVERY_MS = 250;

async function play(spec: Play): Promise<Played> {
  const video = document.querySelector('video');
  if (!video) throw new Error('no video on this page');
  const arm = spec.tuned ? armFromTuned(spec.tuned) : armNamed(spec.arm);
  const warnings: string[] = [];
  const errors: PlayerError[] = [];
  const memory = createMemory(spec);

  // The sidecar is fetched before the session, so that it does not add to an arm's play delay.
  const sidecar = sizesFromSidecar(readSidecar(await (await fetch(spec.sidecar)).json()));

  const { sammy, begin, readBufferLevel, destroy } = PLAYERS[arm.player ?? 'dashjs'](spec, arm, errors, {
    ...arm.sammy,
    ...spec.sammy,
    sidecar,
    storage: memory.storage,
    summary: sessionSummary,
  });
  sammy.on('warning', ({ message }) => warnings.push(message));
  const decisions: CompletedDecision[] = [];
  sammy.on('decision', (decision) => decisions.push(decision));

  let playingAt_ms: number | null = null;
  video.addEventListener('playing', () => {
    if (playingAt_ms !== null) return;
    playingAt_ms = Date.now();
    window.labPlaying?.();
  });

  const requestedAt_ms = Date.now();
  const since = performance.now();
  const now_s = () => (performance.now() - since) / 1000;
  const playback: PlaybackEvent[] = [];
  const stay = new ViewerStay(spec, playback, now_s);
  const ending = new AbortController();
  for (const event of PLAYBACK_EVENTS) {
    const note = () => {
      playback.push({ t_s: now_s(), event, buffer_s: readBufferLevel() });
      stay.update();
    };
    video.addEventListener(event, note, { signal: ending.signal });
  }
  begin(video);

  const buffer: [number, number][] = [];
  const sampling = setInterval(() => buffer.push([now_s(), readBufferLevel()]), BUFFER_EVERY_MS);
  await stay.waitForEnd();
  clearInterval(sampling);
  ending.abort();
  const { summary } = sammy;
  if (!summary) throw new Error('the session has no summary');
  sammy.detach();
  destroy();
  const history = memory.sessions();
  return { requestedAt_ms, playingAt_ms, summary, decisions, buffer, playback, warnings, errors, history };
}

/** Stores the throughput of earlier sessions: for the plug-in, and for dash.js if dash.js chooses the rungs. */
function createMemory({ manifest, history = [] }: Play) {
  const storage = makeMemoryStorage();
  const memory = new InitialThroughputHistory(storage);
  const today = () => milliseconds(Date.now());
  for (const throughput of history) memory.add(kbps(throughput), today(), describePlace(manifest));
  const latest = history.at(-1);
  if (latest !== undefined) {
    // The format of dash.js's `lastBitrateCachingInfo`, which the plug-in disables when the plug-in chooses the rungs.
    const saved = { bitrate: latest.toFixed(3), timestamp: Date.now() };
    localStorage.setItem('dashjs_video_bitrate', JSON.stringify(saved));
  }
  return { storage, sessions: () => sessionsAt(storage, today(), describePlace(manifest)) };
}

Object.assign(window, { dashjs: { MediaPlayer } });
window.lab = { play };

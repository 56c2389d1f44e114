import { MediaPlayer } from 'dashjs';
import { attachSammy, type CompletedDecision } from '../../../src/index.ts';
import { readSidecar } from '../../../src/sidecar.ts';
import { armNamed } from '../../arms/index.ts';
import type { LabPage, Play, Played } from '../play.ts';

declare global {
  interface Window {
    lab: LabPage;
    /** Conducts the neighbours from outside. */
    labPlaying?: () => void;
  }
}

const BUFFER_EVERY_MS = 250;

async function play(spec: Play): Promise<Played> {
  const video = document.querySelector('video');
  if (!video) throw new Error('no video on this page');
  const arm = armNamed(spec.arm);
  const warnings: string[] = [];
  const errors: string[] = [];
  let history = spec.history ?? '';

  // Before the session, so that it costs no arm its play delay.
  const sidecar = readSidecar(await (await fetch(spec.sidecar)).json());

  const player = MediaPlayer().create();
  if (arm.settings) player.updateSettings(arm.settings);
  if (spec.buffer_s !== undefined) {
    const { buffer_s } = spec;
    player.updateSettings({
      streaming: {
        buffer: {
          bufferTimeDefault: buffer_s,
          bufferTimeAtTopQuality: buffer_s,
          bufferTimeAtTopQualityLongForm: buffer_s,
        },
      },
    });
  }
  player.on('error', ({ error }) => errors.push(typeof error === 'object' ? error.message : error));

  const sammy = attachSammy(player, {
    ...arm.sammy,
    ...spec.sammy,
    sidecar,
    storage: {
      read: () => (history === '' ? null : history),
      write: (text) => void (history = text),
      remove: () => void (history = ''),
    },
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
  player.initialize(video, spec.manifest, true);

  const buffer: [number, number][] = [];
  const sampling = setInterval(() => {
    const level = player.isReady() ? player.getBufferLength('video') : 0;
    buffer.push([(performance.now() - since) / 1000, Number.isFinite(level) ? level : 0]);
  }, BUFFER_EVERY_MS);
  await new Promise((resolve) => setTimeout(resolve, spec.seconds * 1000));
  clearInterval(sampling);
  const { summary } = sammy;
  sammy.detach();
  player.destroy();
  return { requestedAt_ms, playingAt_ms, summary, decisions, buffer, warnings, errors, history };
}

Object.assign(window, { dashjs: { MediaPlayer } });
window.lab = { play };

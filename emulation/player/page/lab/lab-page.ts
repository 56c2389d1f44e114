import type { Play, Played } from '../../records/play.ts';
import { openPage, type PageOptions } from '../open-page.ts';
import { labScript, packaged } from './scripts.ts';

/**
 * How long Chromium takes to show a frame after the data that the media element waited for has arrived. Measured.
 */
const FRAME_MS = 7;

/** The players' packages, and the name of the global variable that each player's script defines. */
const GLOBALS: Readonly<Record<string, string>> = {
  dashjs: 'dashjs',
  'hls.js': 'Hls',
  'shaka-player': 'shaka',
};

const BEGIN = `lab.play(JSON.parse(asked)).then(
  (played) => told.played(JSON.stringify(played)),
  (error) => told.failed(error),
);`;

/** Receives the progress and the result of a session. */
export interface SessionListener {
  /** Called when playback has begun. */
  playing(): void;
  played(played: Played): void;
  failed(error: Error): void;
}

/** Opens the lab's page with dash.js and the plug-in, as in Chromium, and begins a session at once. */
export function openLabPage(
  options: Omit<PageOptions, 'media' | 'globals'>,
  play: Play,
  told: SessionListener,
): void {
  const page = openPage({
    ...options,
    media: { frame_ms: FRAME_MS },
    globals: {
      // The page's script is a bundle of all its imports except the players.
      require: (name: string) => page.window[GLOBALS[name] ?? ''],
      asked: JSON.stringify(play),
      told: {
        played: (text: string) => told.played(JSON.parse(text) as Played),
        failed: (error: unknown) => told.failed(new Error(`the page failed: ${String(error)}`)),
      },
      labPlaying: () => told.playing(),
    },
  });
  page.document.body.appendChild(page.document.createElement('video'));
  const players = Object.keys(GLOBALS).map(packaged);
  const scripts = [...players, labScript(), { code: BEGIN, filename: 'begin.js' }];
  for (const { code, filename } of scripts) page.load(code, filename);
}

import type { Play, Played } from '../../records/play.ts';
import { openPage, type PageOptions } from '../open-page.ts';
import { labScript, packaged } from './scripts.ts';

/** From the arrival of the data that the media element waits for until its frame is shown, as measured of Chromium. */
const FRAME_MS = 7;

const BEGIN = `lab.play(JSON.parse(asked)).then(
  (played) => told.played(JSON.stringify(played)),
  (error) => told.failed(error),
);`;

/** What is told of a session. */
export interface Told {
  /** Playback has begun. */
  playing(): void;
  played(played: Played): void;
  failed(error: Error): void;
}

/** The lab's page, as Chromium has it, with dash.js and the plug-in: it begins a session at once. */
export function openLabPage(options: Omit<PageOptions, 'media' | 'globals'>, play: Play, told: Told): void {
  const page = openPage({
    ...options,
    media: { frame_ms: FRAME_MS },
    globals: {
      // The page's script has all that it imports in it, but for the players.
      require: (name: string) => (name === 'dashjs' ? page.window.dashjs : page.window.Hls),
      asked: JSON.stringify(play),
      told: {
        played: (text: string) => told.played(JSON.parse(text) as Played),
        failed: (error: unknown) => told.failed(new Error(`the page failed: ${String(error)}`)),
      },
      labPlaying: () => told.playing(),
    },
  });
  page.document.body.appendChild(page.document.createElement('video'));
  const players = ['dashjs', 'hls.js'].map(packaged);
  const scripts = [...players, labScript(), { code: BEGIN, filename: 'begin.js' }];
  for (const { code, filename } of scripts) page.load(code, filename);
}

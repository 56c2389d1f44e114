import type { MediaPlayerSettingClass } from 'dashjs';
import type { AttachOptions } from '../../src/index.ts';

/**
 * One way of playing the film, compared with the others. Arms run in the page; they are plain data for whoever
 * lists them, and import neither DOM nor Node.
 */
export interface Arm {
  /** As in `--arms`, in folder names and in the report. */
  readonly name: string;
  /** One line for `lab list` and the report. */
  readonly about: string;
  /** dash.js settings, made before playback. */
  readonly settings?: MediaPlayerSettingClass;
  /** What the plug-in does; an arm that only measures has `{ abr: 'player', pacing: false }`. */
  readonly sammy: Omit<AttachOptions, 'sidecar' | 'storage'>;
}

/** The plug-in as a mere observer: dash.js chooses the rungs and nothing is paced. */
export const OBSERVER = { abr: 'player', pacing: false } as const;

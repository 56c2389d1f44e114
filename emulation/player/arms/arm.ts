import type { MediaPlayerSettingClass } from 'dashjs';
import type { AttachOptions } from '../../../src/index.ts';

/**
 * A variant of playback that an experiment compares with others. Arms run in the page and are also listed outside of
 * it, so they are plain data and import neither DOM nor Node.
 */
export interface Arm {
  /** The name in `--arms`, in folder names and in the report. */
  readonly name: string;
  /** One line for `lab list` and the report. */
  readonly about: string;
  /** The player; dash.js if absent. The model simulates only dash.js, so other players need the page or Chromium. */
  readonly player?: 'hlsjs' | 'shaka';
  /** Settings of dash.js, applied before playback. */
  readonly settings?: MediaPlayerSettingClass;
  /** For a paced arm, the name of the arm with the same ABR algorithm and without a pace. */
  readonly unpaced?: string;
  /** The plug-in's options; an arm that only measures has `{ abr: 'player', pacing: false }`. */
  readonly sammy: Omit<AttachOptions, 'sidecar' | 'storage'>;
  /** Whether the arm calls `closeLoop` of `dashjs-sammy/loop`, which adapts the pace to the edge's receipts. */
  readonly loop?: true;
  /**
   * How a paced segment is requested in parts, as an alternative to an edge that yields: see `PartedWire`. Only the
   * page over sockets supports this.
   */
  readonly parting?: 'ask-again' | 'tiny-requests';
}

/** Options with which the plug-in only observes: dash.js chooses the rungs, and nothing is paced. */
export const OBSERVER = { abr: 'player', pacing: false } as const;

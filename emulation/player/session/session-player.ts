import type { Play, Played } from './play.ts';

/** What plays the film inside: a browser, or a light viewer. */
export interface SessionPlayer {
  /** Plays one session, within so many seconds. `onPlaying` is called when playback begins. Throws an Error of one line. */
  play(play: Play, within_s: number, onPlaying: () => unknown): Promise<Played>;
  close(): Promise<unknown>;
}

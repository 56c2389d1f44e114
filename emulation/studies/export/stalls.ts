import { StallDetector } from '../../../src/session/stalls.ts';
import { milliseconds } from '../../../src/units.ts';
import type { PlaybackEvent } from '../../player/records/play.ts';

/** A rebuffer, as the session's summary defines it. A rebuffer that the session's end cut off has no end. */
export interface Stall {
  readonly from_s: number;
  readonly to_s: number;
  readonly ended: boolean;
}

/** When playback began (null if it never began), and the session's stalls. */
export interface PlaybackSummary {
  readonly startup_s: number | null;
  readonly stalls: readonly Stall[];
}

/** Computes when playback began and when it stalled from the media element's events, for a session of `seconds`. */
export function analyzePlayback(playback: readonly PlaybackEvent[], seconds: number): PlaybackSummary {
  const detector = new StallDetector();
  const happened = {
    playing: (now_ms: number) => detector.playing(milliseconds(now_ms)),
    waiting: (now_ms: number) => {
      detector.waiting(milliseconds(now_ms));
      return undefined;
    },
    seeking: (now_ms: number) => detector.seeking(milliseconds(now_ms)),
    pause: (now_ms: number) => detector.paused(milliseconds(now_ms)),
  } as const;
  const stallUntil = (to_s: number, stalled_ms: number | undefined, ended: boolean): Stall[] =>
    stalled_ms === undefined ? [] : [{ from_s: to_s - stalled_ms / 1000, to_s, ended }];
  const stalls = playback.flatMap(({ t_s, event }) => stallUntil(t_s, happened[event](t_s * 1000), true));
  const last = stallUntil(seconds, detector.stalledFor(milliseconds(seconds * 1000)), false);
  return {
    startup_s: playback.find(({ event }) => event === 'playing')?.t_s ?? null,
    stalls: [...stalls, ...last],
  };
}

/** The time without playback from the request for it until `t_s`, s: the play delay and all stalls. */
export const rebufferedUntil = ({ startup_s, stalls }: PlaybackSummary, t_s: number): number =>
  Math.min(t_s, startup_s ?? t_s) +
  stalls.reduce((sum, { from_s, to_s }) => sum + Math.max(0, Math.min(t_s, to_s) - from_s), 0);

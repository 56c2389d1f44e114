import type { MediaType } from '../film/media-type.ts';
import type { RequestState, Situation } from '../session/state.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { milliseconds, millisecondsToSeconds, seconds, type Seconds } from '../units.ts';
import { attempt } from '../attempt.ts';
import type { DashPlayer, FragmentRequest, MediaRequest } from './player.ts';
import { readSetting } from './settings.ts';

/** dash.js's own defaults, used if a future version renames a setting. */
const BUFFER_S = 30;
const LONG_FORM_FROM_S = 600;

/**
 * The buffer levels at which dash.js stops downloading: `maxBuffer` at the top rung, `bufferTarget` at other rungs.
 * Long content has other settings, and in a live stream, the live delay limits both levels.
 */
function readBufferTargets(player: DashPlayer): { maxBuffer: Seconds; bufferTarget: Seconds } {
  const settings = (readSetting(player, 'streaming.buffer') ?? {}) as Readonly<Record<string, unknown>>;
  const setting = (name: string) => positive(settings[name]);
  const delay = positive(attempt(() => (player.isDynamic() ? player.getTargetLiveDelay() : 0)));
  const longForm =
    delay === undefined &&
    (attempt(() => player.duration()) ?? 0) >=
      (setting('longFormContentDurationThreshold') ?? LONG_FORM_FROM_S);
  const atTop = setting(longForm ? 'bufferTimeAtTopQualityLongForm' : 'bufferTimeAtTopQuality') ?? BUFFER_S;
  const maxBuffer = Math.min(delay ?? Infinity, atTop);
  // dash.js 5 has `bufferTimeDefault`, 4.7 has `stableBufferTime`.
  const otherwise = setting('bufferTimeDefault') ?? setting('stableBufferTime') ?? maxBuffer;
  return { maxBuffer: seconds(maxBuffer), bufferTarget: seconds(Math.min(maxBuffer, otherwise)) };
}

/** Returns a positive number, or undefined: dash.js represents unknown or disabled values by 0, NaN or undefined. */
const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

/** Returns the playback state for choosing a rung. Reads only what is needed, because dash.js asks for rungs often. */
export function readSituation(
  player: DashPlayer,
  media: HTMLMediaElement | null,
  mediaType: MediaType,
  sizes: SegmentSizes,
  request?: FragmentRequest,
): Situation {
  const buffer = positive(attempt(() => player.getBufferLength(mediaType))) ?? 0;
  const playhead = media?.currentTime ?? 0;
  const asked = request?.startTime ?? NaN;
  return {
    mediaType,
    sizes,
    buffer: seconds(buffer),
    // dash.js sets the rate to 0 while playback is stalled.
    playbackRate: positive(attempt(() => player.getPlaybackRate())) ?? 1,
    nextSegmentAt: seconds(Number.isFinite(asked) ? asked : playhead + buffer),
    playhead: seconds(playhead),
    // The spread is last, because V8 is many times slower if properties follow a spread.
    ...readBufferTargets(player),
  };
}

/** The state for choosing a pace. */
export const readRequestState = (
  player: DashPlayer,
  media: HTMLMediaElement | null,
  sizes: SegmentSizes,
  request: MediaRequest,
): RequestState => ({
  lowLatency: request.availabilityTimeComplete === false,
  requestTimeout: readRequestTimeout(player),
  ...readSituation(player, media, request.mediaType, sizes, request),
});

/** dash.js's request timeout, a setting in ms. 0 means no timeout. */
const readRequestTimeout = (player: DashPlayer): Seconds =>
  millisecondsToSeconds(
    milliseconds(positive(readSetting(player, 'streaming.fragmentRequestTimeout')) ?? Infinity),
  );

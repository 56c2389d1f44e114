import type { MediaType } from '../film/media-type.ts';
import type { Ladder } from '../film/ladder.ts';
import type { ChoiceState, MediaState } from '../session/state.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { milliseconds, millisecondsToSeconds, seconds, type Seconds } from '../units.ts';
import { attempt } from '../attempt.ts';
import { isRecord } from '../records.ts';
import { originOf } from './origin.ts';
import type { DashPlayer, FragmentRequest, MediaRequest } from './player.ts';
import { readSetting } from './settings.ts';

/** dash.js's own defaults, used if a future version renames a setting. */
const BUFFER_S = 30;
const LONG_FORM_FROM_S = 600;

/**
 * How far dash.js fills the buffer: up to `maxBuffer` at the top rung, and to `bufferTarget` at the others. The settings
 * are longer for long films, and in a live stream the live delay limits both.
 */
function buffersOf(player: DashPlayer): { maxBuffer: Seconds; bufferTarget: Seconds } {
  const settings = readSetting(player, 'streaming.buffer');
  const setting = (name: string) => positive(isRecord(settings) ? settings[name] : undefined);
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

/** What dash.js does not know yet, or has switched off, is 0, not a number or missing. */
const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 ? value : undefined;

/** The state for choosing a rung. dash.js asks for rungs often, so only what the choice needs is read. */
export function choiceStateOf(
  player: DashPlayer,
  mediaType: MediaType,
  ladder: Ladder,
  sizes: SegmentSizes,
  request?: FragmentRequest,
): ChoiceState {
  const buffer = positive(attempt(() => player.getBufferLength(mediaType))) ?? 0;
  const playhead = playheadOf(player) ?? 0;
  const nextSegmentAt = request && Number.isFinite(request.startTime) ? request.startTime : playhead + buffer;
  return {
    ...buffersOf(player),
    mediaType,
    ladder,
    sizes,
    buffer: seconds(buffer),
    // dash.js sets the rate to 0 while playback is stalled.
    playbackRate: positive(attempt(() => player.getPlaybackRate())) ?? 1,
    nextSegmentAt: seconds(nextSegmentAt),
    playhead: seconds(playhead),
  };
}

/** The state for choosing a pace. */
export const mediaStateOf = (
  player: DashPlayer,
  ladder: Ladder,
  sizes: SegmentSizes,
  request: MediaRequest,
): MediaState => ({
  ...choiceStateOf(player, request.mediaType, ladder, sizes, request),
  playable: () => bufferAheadOf(player),
  lowLatency: request.availabilityTimeComplete === false,
  origin: originOf(request.url),
  requestTimeout: requestTimeoutOf(player),
});

/** dash.js's request timeout, a setting in ms, where 0 means none. */
const requestTimeoutOf = (player: DashPlayer): Seconds =>
  millisecondsToSeconds(
    milliseconds(positive(readSetting(player, 'streaming.fragmentRequestTimeout')) ?? Infinity),
  );

/** Presentation time that plays; undefined while there is no media element. */
export const playheadOf = (player: DashPlayer): number | undefined =>
  attempt(() => player.getVideoElement().currentTime);

/** How much is buffered ahead of the playhead. Read from the media element, which is right even during a seek. */
export function bufferAheadOf(player: DashPlayer): Seconds {
  const video = attempt(() => player.getVideoElement());
  if (!video) return seconds(0);
  const { buffered, currentTime } = video;
  for (let index = 0; index < buffered.length; index++) {
    const end = buffered.end(index);
    if (buffered.start(index) <= currentTime && currentTime < end) return seconds(end - currentTime);
  }
  return seconds(0);
}

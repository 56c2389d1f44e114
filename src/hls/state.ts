import type { MediaType } from '../film/media-type.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { readPlayable } from '../host/playable.ts';
import type { RequestState, Situation } from '../session/state.ts';
import { milliseconds, millisecondsToSeconds, seconds, type Seconds } from '../units.ts';
import { bufferLengthAt, findLevelMediaType, isLowLatency } from './levels.ts';
import type { HlsPlayer, MediaRequest } from './player.ts';

/**
 * Seconds buffered for one media type. hls.js 1.6 does not report the audio buffer; the playable seconds are then a
 * lower bound.
 */
function readBuffer(hls: HlsPlayer, mediaType: MediaType): Seconds {
  const isMain = mediaType === findLevelMediaType(hls);
  const info = isMain ? hls.mainForwardBufferInfo : hls.audioForwardBufferInfo;
  return info ? seconds(info.len) : readPlayable(hls.media);
}

/** Returns the playback state for choosing a rung. */
export function readSituation(
  hls: HlsPlayer,
  mediaType: MediaType,
  sizes: SegmentSizes,
  segment?: { readonly start: number },
): Situation {
  const buffer = readBuffer(hls, mediaType);
  const playhead = hls.media?.currentTime ?? 0;
  // At lower levels, hls.js fills the buffer further, so `bufferTarget` has the same value.
  const maxBuffer = bufferLengthAt(hls, hls.levels[hls.maxAutoLevel]?.bitrate ?? 0);
  return {
    mediaType,
    sizes,
    buffer,
    // The media element's rate can be 0 or negative.
    playbackRate: Math.abs(hls.media?.playbackRate ?? 1) || 1,
    nextSegmentAt: seconds(segment?.start ?? playhead + buffer),
    playhead: seconds(playhead),
    maxBuffer,
    bufferTarget: maxBuffer,
  };
}

/** The state for choosing a pace. */
export const readRequestState = (
  hls: HlsPlayer,
  sizes: SegmentSizes,
  { mediaType, frag, part }: MediaRequest,
): RequestState => ({
  lowLatency: isLowLatency(hls, part, hls.latestLevelDetails),
  // hls.js often requests audio before video, but the first request with `rtp` to an origin must be for video.
  isFinal: frag.type !== 'main',
  requestTimeout: millisecondsToSeconds(milliseconds(hls.config.fragLoadPolicy.default.maxLoadTimeMs)),
  ...readSituation(hls, mediaType, sizes, part ?? frag),
});

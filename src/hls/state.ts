import type { MediaType } from '../film/media-type.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { readPlayable } from '../host/playable.ts';
import type { RequestState, Situation } from '../session/state.ts';
import { milliseconds, millisecondsToSeconds, seconds, type Seconds } from '../units.ts';
import { bufferLengthAt, findLevelMediaType, isLowLatency } from './levels.ts';
import type { HlsPlayer, MediaRequest } from './player.ts';

/** Seconds buffered for one media type. hls.js 1.6 reports no audio buffer, which is then at least what can play. */
function readBuffer(hls: HlsPlayer, mediaType: MediaType): Seconds {
  const isMain = mediaType === findLevelMediaType(hls);
  const info = isMain ? hls.mainForwardBufferInfo : hls.audioForwardBufferInfo;
  return info ? seconds(info.len) : readPlayable(hls.media);
}

/** Returns the playback state that a choice of a rung needs. */
export function readSituation(
  hls: HlsPlayer,
  mediaType: MediaType,
  sizes: SegmentSizes,
  segment?: { readonly start: number },
): Situation {
  const buffer = readBuffer(hls, mediaType);
  const playhead = hls.media?.currentTime ?? 0;
  // hls.js fills the buffer farther at lower levels.
  const maxBuffer = bufferLengthAt(hls, hls.levels[hls.maxAutoLevel]?.bitrate ?? 0);
  return {
    mediaType,
    sizes,
    buffer,
    // hls.js's rate is that of the media element, which is 0 while it is not to move.
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
  // hls.js often requests audio before video, but video segments must be the first to ask.
  isFinal: frag.type !== 'main',
  requestTimeout: millisecondsToSeconds(milliseconds(hls.config.fragLoadPolicy.default.maxLoadTimeMs)),
  ...readSituation(hls, mediaType, sizes, part ?? frag),
});

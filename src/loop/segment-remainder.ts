import { attempt } from '../attempt.ts';
import type { DashPlayer, FragmentRequest } from '../dash/player.ts';
import type { Decision } from '../decision.ts';
import { bytes, kbps, seconds, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** The remainder of a segment in flight. */
export interface SegmentRemainder {
  readonly left: Bytes;
  /** Buffered content divided by the playback rate. */
  readonly playable: Seconds;
  readonly top: Kbps;
  readonly playbackRate: number;
}

/** Returns the remainder of a segment, and the time that can play until it arrives. */
export function readRemainder(
  player: Pick<DashPlayer, 'getPlaybackRate' | 'getBufferLength'>,
  { bytesLoaded, bytesTotal, mediaType }: Pick<FragmentRequest, 'bytesLoaded' | 'bytesTotal' | 'mediaType'>,
  decision: Pick<Decision, 'bitrate_kbps' | 'segment_duration_s' | 'top_bitrate_kbps'>,
): SegmentRemainder {
  // Estimate the size from the bitrate until the first bytes arrive.
  const total =
    bytesTotal > 0 ? bytesTotal : (decision.bitrate_kbps * decision.segment_duration_s * 1000) / 8;
  // dash.js sets the rate to 0 while playback is stalled, and returns NaN for a buffer that does not exist yet.
  const rate = attempt(() => player.getPlaybackRate()) ?? 0;
  const playbackRate = rate > 0 ? rate : 1;
  const buffer = attempt(() => player.getBufferLength(mediaType)) ?? 0;
  return {
    left: bytes(Math.max(0, total - (bytesLoaded || 0))),
    playable: seconds(buffer > 0 ? buffer / playbackRate : 0),
    top: kbps(decision.top_bitrate_kbps),
    playbackRate,
  };
}

import { attempt } from '../attempt.ts';
import type { DashPlayer, FragmentRequest } from '../dash/player.ts';
import type { Decision } from '../decision.ts';
import { bytes, kbps, seconds, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** A segment under way. */
export interface Rest {
  readonly left: Bytes;
  /** What is buffered over the speed at which it plays. */
  readonly playable: Seconds;
  readonly top: Kbps;
  readonly playbackRate: number;
}

/** What is left of a segment, and to play until it is there. */
export function restOf(
  player: Pick<DashPlayer, 'getPlaybackRate' | 'getBufferLength'>,
  { bytesLoaded, bytesTotal, mediaType }: Pick<FragmentRequest, 'bytesLoaded' | 'bytesTotal' | 'mediaType'>,
  decision: Pick<Decision, 'bitrate_kbps' | 'segment_duration_s' | 'top_bitrate_kbps'>,
): Rest {
  // Until its first bytes arrive, by its bitrate.
  const total =
    bytesTotal > 0 ? bytesTotal : (decision.bitrate_kbps * decision.segment_duration_s * 1000) / 8;
  // dash.js sets the rate to 0 while playback is stalled, and has no number for a buffer that is not there yet.
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

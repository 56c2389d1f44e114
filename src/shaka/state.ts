import type { MediaType } from '../film/media-type.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { SHORT_GAP_S } from '../host/playable.ts';
import type { Situation } from '../session/state.ts';
import { seconds, type Seconds } from '../units.ts';
import type { ShakaConfig, ShakaPlayer } from './player.ts';

/** The lowest buffer level up to which Shaka downloads, s, whatever the configuration. */
const SHORTEST_GOAL_S = 1;

/** Returns the buffer level up to which Shaka downloads. In a live stream, it is at most the latency. */
function readBufferingGoal(
  player: ShakaPlayer,
  { bufferingGoal, rebufferingGoal }: ShakaConfig['streaming'],
): Seconds {
  const goal = Math.max(bufferingGoal, rebufferingGoal, SHORTEST_GOAL_S);
  const latency = player.isLive() ? player.getStats().liveLatency : 0;
  return seconds(latency > 0 ? Math.min(goal, latency) : goal);
}

/** Returns the playback state for choosing a rung. */
export function readSituation(
  player: ShakaPlayer,
  mediaType: MediaType,
  sizes: SegmentSizes,
  start?: number,
): Situation {
  const playhead = player.getMediaElement()?.currentTime ?? 0;
  const { [mediaType]: ranges } = player.getBufferedInfo();
  const reached = ranges.findLast(({ start }) => start <= playhead + SHORT_GAP_S);
  const buffer = seconds(Math.max(0, (reached?.end ?? 0) - playhead));
  const maxBuffer = readBufferingGoal(player, player.getConfiguration().streaming);
  return {
    mediaType,
    sizes,
    buffer,
    playbackRate: Math.abs(player.getPlaybackRate()) || 1,
    nextSegmentAt: seconds(start ?? playhead + buffer),
    playhead: seconds(playhead),
    maxBuffer,
    bufferTarget: maxBuffer,
  };
}

import type { Capacity } from '../../../emulation/network/virtual/rounds/capacity.ts';
import type { SimulatedResult } from '../../../emulation/player/model/simulated-session.ts';
import type { CompletedDecision } from '../../../src/decision.ts';
import { playsAt } from '../foreknowledge/watched.ts';
import type { Buffers } from '../foreknowledge/foreknown.ts';
import { latestSchedule } from './latest-schedule.ts';

/**
 * The lowest video chunk throughput, kbit/s, that allows the same playback as in `session`: the same segments at the same
 * times. With knowledge of the future, the viewer's leaving is also known, and no later segment is fetched. Downloads before
 * playback began stay the same. The link has no losses, audio uses none of its rate, and the player fills its buffer
 * completely at any rung, so no real session reaches this value.
 */
export function leastThroughput(
  session: SimulatedResult,
  capacity: Capacity,
  { maxBuffer_s }: Pick<Buffers, 'maxBuffer_s'>,
  seconds: number,
): number {
  const at = playsAt(session, seconds);
  const shown = new Map<number, CompletedDecision>();
  for (const decision of session.decisions) {
    const { media_type, outcome, segment_start_s } = decision;
    // A version that came later replaced one that had begun to play.
    const inTime = decision.at_ms + decision.download_ms <= at(segment_start_s);
    if (media_type === 'video' && outcome === 'completed' && (inTime || !shown.has(segment_start_s)))
      shown.set(segment_start_s, decision);
  }
  const watched = [...shown.values()]
    .filter(({ segment_start_s }) => at(segment_start_s) < 1000 * seconds)
    .sort((a, b) => a.segment_start_s - b.segment_start_s);
  // A stall begins another initial phase, which a session with knowledge of the network does not need.
  const paced = watched.findIndex(({ phase }) => phase === 'playing');
  const [start, rest] = [watched.slice(0, paced), watched.slice(paced)];
  const from_ms = Math.max(...start.map(({ at_ms, download_ms }) => at_ms + download_ms));
  const fetched = latestSchedule(
    capacity,
    from_ms,
    rest.map(({ size_bytes, segment_start_s }) => ({
      size_bytes,
      due_ms: at(segment_start_s),
      room_ms: at(segment_start_s - maxBuffer_s),
    })),
  );
  const time_ms =
    start.reduce((sum, { download_ms }) => sum + download_ms, 0) +
    fetched.reduce((sum, { from_ms, to_ms }) => sum + to_ms - from_ms, 0);
  return watched.reduce((sum, { size_bytes }) => sum + 8 * size_bytes, 0) / time_ms;
}

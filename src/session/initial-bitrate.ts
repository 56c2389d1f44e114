import type { Rung } from '../film/ladder.ts';
import { kbps, seconds, type Kbps } from '../units.ts';
import type { Sammy } from './sammy.ts';
import { createSetup } from './setup.ts';
import { openSession, Track } from './track.ts';

/** Returns the bitrate to start with before the ladder is known: the algorithm's choice with an empty buffer. */
export function chooseInitialBitrate({ options, initialThroughput: throughput }: Sammy): Kbps {
  // With an empty buffer and nominal sizes, the throughput that a rung requires is proportional to its bitrate.
  const rung: Rung = { id: 'any', bitrate_kbps: throughput };
  // Use a new session of the algorithm, because the current session has the state of another ladder.
  const needed = new Track(openSession(createSetup(options))).requiredThroughput(
    {
      mediaType: 'video',
      ladder: [{ id: 'lowest', bitrate_kbps: kbps(1) }, rung],
      buffer: seconds(0),
      maxBuffer: seconds(Infinity),
      bufferTarget: seconds(Infinity),
      playbackRate: 1,
      nextSegmentAt: seconds(0),
      lowLatency: false,
      throughput,
      downloads: [],
    },
    rung,
  );
  return kbps(Math.min(options.max_bitrate_kbps, throughput * Math.min(1, throughput / needed)));
}

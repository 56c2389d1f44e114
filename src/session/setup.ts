import type { AbrAlgorithm } from '../abr/abr.ts';
import { ALGORITHMS } from '../abr/algorithms.ts';
import type { Rung } from '../film/ladder.ts';
import type { SegmentSizes } from '../film/segments.ts';
import type { ResolvedOptions } from '../options.ts';
import { algorithm1 } from '../pace/algorithm-1.ts';
import { belowNetwork } from '../pace/below-network.ts';
import type { PacePolicy } from '../pace/pace.ts';
import { kbps, seconds, type Kbps } from '../units.ts';
import { PLAYER_RULES } from './player-rules.ts';
import { openSession, Track } from './track.ts';

/** The options, and the algorithm, policy and sizes that they select. */
export interface Setup {
  readonly options: ResolvedOptions;
  readonly algorithm: AbrAlgorithm;
  readonly policy: PacePolicy;
  /** The option `sizes`, or else the sidecar. */
  readonly sizes: SegmentSizes | undefined;
}

export function createSetup(options: ResolvedOptions): Setup {
  const { abr, pace, sidecar } = options;
  return {
    options,
    algorithm: typeof abr === 'object' ? abr : abr === 'player' ? PLAYER_RULES : ALGORITHMS[abr],
    policy: createPolicy(pace, options),
    sizes: options.sizes ?? sidecar,
  };
}

function createPolicy(pace: ResolvedOptions['pace'], options: ResolvedOptions): PacePolicy {
  if (typeof pace === 'object') return pace;
  const sammy = algorithm1(options);
  return pace === 'sammy' ? sammy : belowNetwork(sammy);
}

/** Whether the algorithm and its options are the same. If so, the algorithm's session continues. */
export const sameAlgorithm = (a: ResolvedOptions, b: ResolvedOptions): boolean =>
  a.abr === b.abr && a.beta === b.beta && a.lookahead_s === b.lookahead_s;

/** The bitrate to start with before the ladder is known: the algorithm's choice with an empty buffer. */
export function chooseInitialBitrate(setup: Setup, throughput: Kbps): Kbps {
  // With an empty buffer and nominal sizes, the throughput that a rung requires is proportional to its bitrate.
  const rung: Rung = { id: 'any', bitrate_kbps: throughput };
  // Use a new session of the algorithm, because the current session has the state of another ladder.
  const needed = new Track(openSession(setup)).requiredThroughput(
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
  return kbps(Math.min(setup.options.max_bitrate_kbps, throughput * Math.min(1, throughput / needed)));
}

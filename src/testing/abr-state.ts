import type { AbrState } from '../abr/abr.ts';
import { kbps, seconds } from '../units.ts';
import { ladder } from './session.ts';

/** What an algorithm knows at the start of a session with an empty buffer of 30 s, but for what is `given`. */
export const abrStateOf = (given: Partial<AbrState> = {}): AbrState => ({
  mediaType: 'video',
  ladder,
  buffer: seconds(0),
  maxBuffer: seconds(30),
  bufferTarget: seconds(18),
  playbackRate: 1,
  nextSegmentAt: seconds(0),
  lowLatency: false,
  throughput: kbps(1000),
  downloads: [],
  ...given,
});

/** Options for algorithms, as they are by default. */
export const ABR_OPTIONS = { beta: 0.8, lookahead_s: 10 };

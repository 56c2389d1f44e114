import type { AbrState } from '../abr/abr.ts';
import { kbps, seconds } from '../units.ts';
import { ladder } from './session.ts';

/** The state at the start of a session with an empty buffer of at most 30 s, with the properties of `given`. */
export const createAbrState = (given: Partial<AbrState> = {}): AbrState => ({
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

/** The default options of algorithms. */
export const ABR_OPTIONS = { beta: 0.8, lookahead_s: 10 };

import { kbps, seconds, type Kbps, type Seconds } from '../src/units.ts';

/** Duration of every segment except the last one, which may be shorter. */
export const SEGMENT_S = seconds(2);

export interface EncodedRung {
  /** Representation@id, and the name of its folder. */
  readonly id: string;
  /** The intended average rate of the rung. */
  readonly bitrate: Kbps;
  /** Length of the frame's shorter side in pixels; a smaller source is not enlarged. */
  readonly shortSide: number;
  /**
   * The first target rate for the encoder, as a multiple of `bitrate`. One-pass VBR of libvpx overshoots on small
   * frames and undershoots on large ones. With these measured values, most videos need no second encode.
   */
  readonly firstAsk: number;
}

const rung = (bitrate_kbps: number, shortSide: number, firstAsk: number): EncodedRung => ({
  id: `v${bitrate_kbps}`,
  bitrate: kbps(bitrate_kbps),
  shortSide,
  firstAsk,
});

/** Five rungs up to 3.3 Mbit/s, the top bitrate of the paper's ladder (Sammy §6). */
export const FILM_LADDER: readonly EncodedRung[] = [
  rung(300, 240, 0.87),
  rung(700, 360, 0.92),
  rung(1300, 480, 0.95),
  rung(2100, 576, 1),
  rung(3300, 720, 1.03),
];

/** The rates of `FILM_LADDER` for the synthetic video, which is easier to encode than camera footage. */
export const SYNTHETIC_LADDER: readonly EncodedRung[] = [
  rung(300, 240, 1.41),
  rung(700, 360, 1.2),
  rung(1300, 480, 1.16),
  rung(2100, 576, 1.09),
  rung(3300, 720, 0.84),
];

/** The rates of `FILM_LADDER` for small frames of grain, which are quick to encode and equivalent for the network. */
export const TEST_LADDER: readonly EncodedRung[] = [
  rung(300, 72, 1.6),
  rung(700, 96, 1.6),
  rung(1300, 120, 1.6),
  rung(2100, 144, 1.6),
  rung(3300, 180, 1.52),
];

export const AUDIO_ID = 'a96';
export const AUDIO_KBPS = kbps(96);

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rounds a length to an even number, because 4:2:0 chroma needs even sides. */
const even = (length: number): number => Math.max(2, 2 * Math.round(length / 2));

export function rungSize(rung: EncodedRung, source: Size): Size {
  const scale = Math.min(1, rung.shortSide / Math.min(source.width, source.height));
  return { width: even(source.width * scale), height: even(source.height * scale) };
}

/**
 * Returns the frame rate to encode at: the nearest multiple of 0.5, so that two seconds hold a whole number of frames
 * and every segment lasts exactly as long as the manifest says (23.976 becomes 24, 29.97 becomes 30).
 */
export const ladderFrameRate = (sourceRate: number): number =>
  Math.min(60, Math.max(10, Math.round(sourceRate * 2) / 2));

/** Returns the duration of each segment for a number of frames. The last segment contains the remainder. */
export function segmentDurations(frames: number, frameRate: number): Seconds[] {
  const framesPerSegment = frameRate * SEGMENT_S;
  const count = Math.ceil(frames / framesPerSegment);
  return Array.from({ length: count }, (_, index) =>
    seconds(Math.min(framesPerSegment, frames - index * framesPerSegment) / frameRate),
  );
}

/** The allowed difference between a rung's measured average and its nominal rate. */
const RATE_TOLERANCE = 0.05;

/**
 * Returns the value for Representation@bandwidth: the nominal rate if the segments keep it, otherwise the measured
 * rate.
 */
export const honestBitrate = (nominal: Kbps, measured: Kbps): Kbps =>
  Math.abs(measured / nominal - 1) <= RATE_TOLERANCE ? nominal : kbps(Math.max(1, Math.round(measured)));

/**
 * Returns the next target rate for the encoder, after `asked` resulted in `measured`. Undefined if the rung is good, or
 * if the video is too simple to ever reach the rate (a slide show at 3.3 Mbit/s).
 */
export function correctedAsk(nominal: Kbps, asked: Kbps, measured: Kbps): Kbps | undefined {
  const ratio = measured / nominal;
  if (Math.abs(ratio - 1) <= RATE_TOLERANCE || ratio < 0.25) return undefined;
  return kbps(Math.round(asked / ratio));
}

/** Returns the size of the top rung, at which quality is measured. */
export function topSize(ladder: readonly EncodedRung[], source: Size): Size {
  const top = ladder.at(-1);
  if (!top) throw new RangeError('a ladder needs at least one rung');
  return rungSize(top, source);
}

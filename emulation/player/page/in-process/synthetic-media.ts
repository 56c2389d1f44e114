/** The boxes of ISO BMFF (ISO/IEC 14496-12) that tell a buffer what it gets. The samples are zeros, and never written. */

/** Ticks a second. */
const TIMESCALE = 48_000;
/** What a fragment says of its samples: about so many a second. */
const SAMPLES_PER_S = 24;
/** The first four of a box's bytes are its length, the next four its type. */
const HEADER = 8;
const DEFAULT_DURATION = 0x8;
/** As large as ffmpeg's, with `stsd` and what else a decoder wants. */
const INITIALIZATION_BYTES = 811;

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const header = Buffer.alloc(HEADER);
  header.writeUInt32BE(HEADER + body.length);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, body]);
};

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
};

/** What Opus has before its first sound (RFC 7845 §4.2), 6.5 ms, as ffmpeg writes it. */
const PRE_SKIP = 312;

export const VIDEO_INITIALIZATION: Uint8Array = initialization(0);
export const AUDIO_INITIALIZATION: Uint8Array = initialization(PRE_SKIP);

/** `begins`: the time in the media at which the presentation begins, ticks. */
function initialization(begins: number): Buffer {
  const moov = box(
    'moov',
    box(
      'trak',
      box('edts', box('elst', words(0, 1, 0, begins, 1 << 16))),
      box('mdia', box('mdhd', words(0, 0, 0, TIMESCALE, 0, 0))),
    ),
    box('mvex', box('trex', words(0, 1, 1, 0, 0, 0))),
  );
  return Buffer.concat([moov, box('free', Buffer.alloc(INITIALIZATION_BYTES - HEADER - moov.length))]);
}

/** How a segment of `size_bytes` begins. */
export function segmentOf(start_s: number, duration_s: number, size_bytes: number): Uint8Array {
  const samples = Math.max(1, Math.round(duration_s * SAMPLES_PER_S));
  const each = Math.round((duration_s * TIMESCALE) / samples);
  const start = Math.round(start_s * TIMESCALE);
  const moof = box(
    'moof',
    box('mfhd', words(0, 1)),
    box(
      'traf',
      box('tfhd', words(DEFAULT_DURATION, 1, each)),
      box('tfdt', words(1 << 24, Math.floor(start / 2 ** 32), start >>> 0)),
      box('trun', words(0, samples)),
    ),
  );
  const rest = Math.max(HEADER, size_bytes - moof.length);
  const mdat = Buffer.alloc(HEADER);
  mdat.writeUInt32BE(rest);
  mdat.write('mdat', 4, 'latin1');
  return Buffer.concat([moof, mdat]);
}

import { writeBox } from '../../../../media/iso-bmff.ts';

/** Ticks per second. */
const TIMESCALE = 48_000;
/** The approximate number of samples per second that a fragment declares. */
const SAMPLES_PER_S = 24;
/** The bytes of a box's length and type. */
const HEADER = 8;
const DEFAULT_DURATION = 0x8;
/** The size of ffmpeg's, which also contains `stsd` and other boxes for a decoder. */
const INITIALIZATION_BYTES = 811;

/** Opus's pre-skip before its first audible sample (RFC 7845 §4.2), 6.5 ms, as written by ffmpeg. */
const PRE_SKIP = 312;

export const VIDEO_INITIALIZATION: Uint8Array = initialization(0);
export const AUDIO_INITIALIZATION: Uint8Array = initialization(PRE_SKIP);

/** Writes the boxes that a buffer reads. `mediaTime` is the media time at which the presentation begins, ticks. */
function initialization(mediaTime: number): Uint8Array {
  const plain = { version: 0, flags: 0 };
  const entry = { segmentDuration: 0, mediaTime, mediaRateInteger: 1, mediaRateFraction: 0 };
  const times = { creationTime: 0, modificationTime: 0, timescale: TIMESCALE, duration: 0 };
  const defaults = { defaultSampleDuration: 0, defaultSampleSize: 0, defaultSampleFlags: 0 };
  const moov = writeBox({
    type: 'moov',
    boxes: [
      {
        type: 'trak',
        boxes: [
          { type: 'edts', boxes: [{ type: 'elst', ...plain, entryCount: 1, entries: [entry] }] },
          { type: 'mdia', boxes: [{ type: 'mdhd', ...plain, ...times, language: '', preDefined: 0 }] },
        ],
      },
      {
        type: 'mvex',
        boxes: [{ type: 'trex', ...plain, trackId: 1, defaultSampleDescriptionIndex: 1, ...defaults }],
      },
    ],
  });
  const free = writeBox({ type: 'free', data: new Uint8Array(INITIALIZATION_BYTES - HEADER - moov.length) });
  return Buffer.concat([moov, free]);
}

/** The first bytes of a segment of `size_bytes`. The samples are zeros, and never written. */
export function writeSegment(start_s: number, duration_s: number, size_bytes: number): Uint8Array {
  const sampleCount = Math.max(1, Math.round(duration_s * SAMPLES_PER_S));
  const defaultSampleDuration = Math.round((duration_s * TIMESCALE) / sampleCount);
  const moof = writeBox({
    type: 'moof',
    boxes: [
      { type: 'mfhd', version: 0, flags: 0, sequenceNumber: 1 },
      {
        type: 'traf',
        boxes: [
          { type: 'tfhd', version: 0, flags: DEFAULT_DURATION, trackId: 1, defaultSampleDuration },
          { type: 'tfdt', version: 1, flags: 0, baseMediaDecodeTime: Math.round(start_s * TIMESCALE) },
          { type: 'trun', version: 0, flags: 0, sampleCount, samples: [] },
        ],
      },
    ],
  });
  const mdat = Buffer.from(writeBox({ type: 'mdat', data: new Uint8Array() }));
  mdat.writeUInt32BE(Math.max(HEADER, size_bytes - moof.length));
  return Buffer.concat([moof, mdat]);
}

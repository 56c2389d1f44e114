import { writeBox } from '../../../../media/iso-bmff.ts';

/** Ticks per second of the media's times. */
const TIMESCALE = 48_000;
/** The approximate number of samples per second that a fragment declares. */
const SAMPLES_PER_S = 24;
/** The bytes of a box's length and type. */
const HEADER = 8;
const DEFAULT_DURATION = 0x8;
/** The size of an initialization segment by ffmpeg, which also contains `stsd` and other boxes for a decoder. */
const INITIALIZATION_BYTES = 811;

/** Opus's pre-skip, the samples before its first audible one (RFC 7845 §4.2): 6.5 ms, as written by ffmpeg. */
const PRE_SKIP = 312;

/**
 * The boxes of a track that hls.js reads: handler, codec, and the length of a sample entry without the codec's boxes.
 */
const VIDEO = { handler: 'vide', codec: 'vp09', entry_bytes: 78 };
const AUDIO = { handler: 'soun', codec: 'Opus', entry_bytes: 28 };

export const VIDEO_INITIALIZATION: Uint8Array = initialization(0, VIDEO);
export const AUDIO_INITIALIZATION: Uint8Array = initialization(PRE_SKIP, AUDIO);

function box(type: string, ...parts: readonly (Uint8Array | string)[]): Uint8Array {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  const head = Buffer.from(`....${type}`);
  head.writeUInt32BE(HEADER + content.length);
  return Buffer.concat([head, content]);
}

function zeros(length: number): Uint8Array {
  return new Uint8Array(length);
}
/** Encodes a number below 256 in four bytes. */
function small(value: number): Uint8Array {
  return Uint8Array.of(0, 0, 0, value);
}

/** Writes the boxes that a buffer reads. `mediaTime` is the media time at which the presentation begins, ticks. */
function initialization(mediaTime: number, { handler, codec, entry_bytes }: typeof VIDEO): Uint8Array {
  const plain = { version: 0, flags: 0 };
  const entry = { segmentDuration: 0, mediaTime, mediaRateInteger: 1, mediaRateFraction: 0 };
  const times = { creationTime: 0, modificationTime: 0, timescale: TIMESCALE, duration: 0 };
  const defaults = { defaultSampleDuration: 0, defaultSampleSize: 0, defaultSampleFlags: 0 };
  const edits = writeBox({
    type: 'edts',
    boxes: [{ type: 'elst', ...plain, entryCount: 1, entries: [entry] }],
  });
  const mediaHeader = writeBox({ type: 'mdhd', ...plain, ...times, language: '', preDefined: 0 });
  const samples = box('stsd', zeros(4), small(1), box(codec, zeros(entry_bytes)));
  const trackDefaults = writeBox({
    type: 'mvex',
    boxes: [{ type: 'trex', ...plain, trackId: 1, defaultSampleDescriptionIndex: 1, ...defaults }],
  });
  const moov = box(
    'moov',
    box(
      'trak',
      box('tkhd', zeros(12), small(1), zeros(68)),
      edits,
      box('mdia', mediaHeader, box('hdlr', zeros(8), handler, zeros(13)), box('minf', box('stbl', samples))),
    ),
    trackDefaults,
  );
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

/** Finds the box of `type` (ISO/IEC 14496-12) between `from` and `to`. Throws a RangeError if there is none. */
function box(file: Buffer, type: string, from = 0, to = file.length): { start: number; end: number } {
  for (let at = from; at + 8 <= to; at += file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === type)
      return { start: at, end: at + file.readUInt32BE(at) };
  }
  throw new RangeError(`the segment has no ${type}`);
}

function makeBox(type: string, ...content: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(8 + content.reduce((sum, { length }) => sum + length, 0));
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, ...content]);
}

const words = (...values: readonly number[]): Buffer => {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => buffer.writeUInt32BE(value >>> 0, 4 * index));
  return buffer;
};

const DATA_OFFSET = 0x1;
const FIRST_SAMPLE_FLAGS = 0x4;
const SAMPLE_SIZES = 0x200;

/**
 * Splits a media segment of one fragment into `count` fragments with about the same number of samples, as an encoder for
 * low-latency live makes them (CMAF chunks). Works for segments as ffmpeg writes them: all samples have one duration, the
 * first field of the track fragment header (§8.8.7), and sizes of their own (§8.8.8).
 */
export function splitSegment(segment: Buffer, count: number): Buffer[] {
  const moof = box(segment, 'moof');
  const traf = box(segment, 'traf', moof.start + 8, moof.end);
  const inTraf = (type: string) => box(segment, type, traf.start + 8, traf.end);
  const [tfhd, tfdt, trun] = [inTraf('tfhd'), inTraf('tfdt'), inTraf('trun')];
  const mdat = box(segment, 'mdat');

  const flags = segment.readUInt32BE(trun.start + 8) & 0xffffff;
  if ((flags & ~FIRST_SAMPLE_FLAGS) !== (DATA_OFFSET | SAMPLE_SIZES)) {
    throw new RangeError(`expected a track run of sizes only, got flags ${flags.toString(16)}`);
  }
  const duration = segment.readUInt32BE(tfhd.start + 16);
  const began = segment.readBigUInt64BE(tfdt.start + 12);
  const samples = segment.readUInt32BE(trun.start + 12);
  const sizesAt = trun.start + (flags & FIRST_SAMPLE_FLAGS ? 24 : 20);
  const sizes = Array.from({ length: samples }, (_, index) => segment.readUInt32BE(sizesAt + 4 * index));

  let dataAt = mdat.start + 8;
  return Array.from({ length: count }, (_, index) => {
    const [first, next] = [index, index + 1].map((part) => Math.floor((samples * part) / count)) as [
      number,
      number,
    ];
    const own = sizes.slice(first, next);
    const bytes = own.reduce((sum, size) => sum + size, 0);
    const data = segment.subarray(dataAt, dataAt + bytes);
    dataAt += bytes;
    const time = Buffer.alloc(12, 0);
    time[0] = 1;
    time.writeBigUInt64BE(began + BigInt(first * duration), 4);
    const keyFrame = index === 0 && (flags & FIRST_SAMPLE_FLAGS) !== 0;
    const header = (dataOffset: number) =>
      makeBox(
        'moof',
        segment.subarray(moof.start + 8, traf.start),
        makeBox(
          'traf',
          segment.subarray(tfhd.start, tfhd.end),
          makeBox('tfdt', time),
          makeBox(
            'trun',
            words(DATA_OFFSET | SAMPLE_SIZES | (keyFrame ? FIRST_SAMPLE_FLAGS : 0), own.length, dataOffset),
            keyFrame ? segment.subarray(trun.start + 20, trun.start + 24) : Buffer.alloc(0),
            words(...own),
          ),
        ),
      );
    return Buffer.concat([header(header(0).length + 8), makeBox('mdat', data)]);
  });
}

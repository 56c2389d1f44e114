import { getBox, readBoxes, writeBox } from '../../media/iso-bmff.ts';

const DATA_OFFSET = 0x1;
const FIRST_SAMPLE_FLAGS = 0x4;
const SAMPLE_SIZES = 0x200;

/**
 * Splits a media segment of one fragment into `count` fragments with about the same number of samples, like the CMAF
 * chunks of an encoder for low-latency live. Works for segments from ffmpeg, in which all samples have the same
 * duration and each sample its own size.
 */
export function splitSegment(segment: Buffer, count: number): Buffer[] {
  const boxes = readBoxes(segment);
  const [mfhd, tfhd, tfdt] = [getBox(boxes, 'mfhd'), getBox(boxes, 'tfhd'), getBox(boxes, 'tfdt')];
  const [trun, { data }] = [getBox(boxes, 'trun'), getBox(boxes, 'mdat')];
  const { defaultSampleDuration } = tfhd;
  if ((trun.flags & ~FIRST_SAMPLE_FLAGS) !== (DATA_OFFSET | SAMPLE_SIZES) || !defaultSampleDuration)
    throw new RangeError(`expected a track run of sizes only, got flags ${trun.flags.toString(16)}`);

  let dataAt = 0;
  return Array.from({ length: count }, (_, index) => {
    const first = Math.floor((trun.sampleCount * index) / count);
    const samples = trun.samples.slice(first, Math.floor((trun.sampleCount * (index + 1)) / count));
    const fragment = (dataOffset: number): Uint8Array =>
      writeBox({
        type: 'moof',
        boxes: [
          mfhd,
          {
            type: 'traf',
            boxes: [
              tfhd,
              { ...tfdt, baseMediaDecodeTime: tfdt.baseMediaDecodeTime + first * defaultSampleDuration },
              {
                ...trun,
                flags: index === 0 ? trun.flags : trun.flags & ~FIRST_SAMPLE_FLAGS,
                sampleCount: samples.length,
                dataOffset,
                samples,
              },
            ],
          },
        ],
      });
    const bytes = samples.reduce((sum, { sampleSize = 0 }) => sum + sampleSize, 0);
    const media = writeBox({ type: 'mdat', data: data.subarray(dataAt, dataAt + bytes) });
    dataAt += bytes;
    return Buffer.concat([fragment(fragment(0).length + 8), media]);
  });
}

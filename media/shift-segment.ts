import { parseBoxes, getBox, readBoxes, writeBox } from './iso-bmff.ts';

/**
 * Returns the timescale, in ticks per second, of an initialization segment's only track. Throws a RangeError if the
 * segment has no track.
 */
export const mediaTimescale = (initialization: Uint8Array): number =>
  getBox(readBoxes(initialization), 'mdhd').timescale;

/** Moves a media segment `by_s` seconds later, in place: decode time and segment index. */
export function shiftSegment(segment: Uint8Array, by_s: number, timescale: number): void {
  const boxes = readBoxes(segment);
  for (const box of parseBoxes(boxes, 'tfdt')) {
    box.baseMediaDecodeTime += Math.round(by_s * timescale);
    segment.set(writeBox(box), box.view.byteOffset - segment.byteOffset);
  }
  for (const box of parseBoxes(boxes, 'sidx')) {
    box.earliestPresentationTime += Math.round(by_s * box.timescale);
    segment.set(writeBox(box), box.view.byteOffset - segment.byteOffset);
  }
}

import {
  defaultReaderConfig,
  defaultWriterConfig,
  readIsoBoxes,
  traverseIsoBoxes,
  writeIsoBox,
  type IsoBoxMap,
  type IsoBoxStreamable,
  type ParsedBox,
  type ParsedIsoBox,
} from '@svta/cml-iso-bmff';

const reading = defaultReaderConfig();
const writing = defaultWriterConfig();

export type { ParsedIsoBox };

/** Reads the boxes of an MP4 file or a part of one (ISO/IEC 14496-12), up to the first incomplete box. */
export const readBoxes = (file: Uint8Array): ParsedIsoBox[] => readIsoBoxes(file, reading);

/** Returns the bytes of a box, including contained boxes. */
export const writeBox = (box: IsoBoxStreamable): Uint8Array => writeIsoBox(box, writing);

/** Yields every box of `type`, including boxes inside other boxes. */
export function* parseBoxes<T extends keyof IsoBoxMap>(
  boxes: readonly ParsedIsoBox[],
  type: T,
): Generator<ParsedBox<IsoBoxMap[T]>> {
  for (const box of traverseIsoBoxes(boxes)) if (box.type === type) yield box as ParsedBox<IsoBoxMap[T]>;
}

/** Returns the first box of `type`, if any. */
export const findBox = <T extends keyof IsoBoxMap>(boxes: readonly ParsedIsoBox[], type: T) =>
  parseBoxes(boxes, type).next().value as ParsedBox<IsoBoxMap[T]> | undefined;

/** Returns the first box of `type`. Throws a RangeError if there is none. */
export function getBox<T extends keyof IsoBoxMap>(boxes: readonly ParsedIsoBox[], type: T) {
  const box = findBox(boxes, type);
  if (!box) throw new RangeError(`the file has no ${type} box`);
  return box;
}

import { appendFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { bytes, averageRate, type Bytes, type Kbps, type Seconds } from '../src/units.ts';
import { INIT_SEGMENT } from './encode.ts';

export const segmentFile = (number: number): string => `${number}.m4s`;

const segmentPaths = (folder: string, id: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => join(folder, id, segmentFile(index + 1)));

/** Creates an empty folder for each representation, because ffmpeg creates none. */
export async function emptyFolders(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await rm(join(folder, id), { recursive: true, force: true });
    await mkdir(join(folder, id));
  }
}

/** Returns the sizes of a representation's media segments, 1 to `count`; undefined if any is missing. */
export async function segmentSizes(folder: string, id: string, count: number): Promise<Bytes[] | undefined> {
  const files = segmentPaths(folder, id, count);
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.every((size) => size > 0) ? sizes.map(bytes) : undefined;
}

export const meanSegmentBitrate = (sizes: readonly Bytes[], duration: Seconds): Kbps =>
  averageRate(bytes(sizes.reduce((sum, size) => sum + size, 0)), duration);

/** Joins a representation's segments into a file for ffmpeg. */
export async function joinSegments(folder: string, id: string, count: number, file: string): Promise<void> {
  for (const part of [join(folder, id, INIT_SEGMENT), ...segmentPaths(folder, id, count)]) {
    await appendFile(join(folder, file), await readFile(part));
  }
}

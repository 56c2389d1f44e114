import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/** A run leaves some megabytes, and a minute of a full link's log a hundred while it is read. */
const LEAST_FREE_BYTES = 1e9;

/** Throws an Error where the results, or what a run keeps meanwhile, would not fit. */
export async function requireFreeSpace(outDir: string): Promise<void> {
  for (const folder of [outDir, tmpdir()]) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < LEAST_FREE_BYTES) {
      throw new Error(
        `less than 1 GB is free at ${folder}; finished runs are kept, and with more room --resume goes on`,
      );
    }
  }
}

import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/**
 * The required free space. A run leaves a few megabytes, and the log of a full link needs 100 MB per minute while it is
 * processed.
 */
const LEAST_FREE_BYTES = 1e9;

/** Throws an Error if there is too little space for the results or for a run's temporary files. */
export async function requireFreeSpace(outDir: string): Promise<void> {
  for (const folder of [outDir, tmpdir()]) {
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < LEAST_FREE_BYTES) {
      throw new Error(
        `less than 1 GB is free at ${folder}; finished runs are kept; free some space, and --resume continues`,
      );
    }
  }
}

/**
 * The maximum number of entries of one kind that a session stores, so that a session of days does not fill the memory.
 * A decision takes about 750 bytes. 1000 decisions cover 1000 s of video and audio with segments of 2 s, which is more
 * than players buffer.
 */
export const LATEST = 1000;

/** Appends `entry`, and removes the oldest entry when there are more than `LATEST`. */
export function addLatest<T>(entries: T[], entry: T): void {
  entries.push(entry);
  if (entries.length > LATEST) entries.shift();
}

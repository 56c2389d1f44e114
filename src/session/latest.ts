/**
 * The number of entries of one kind that a session keeps, so that a channel that plays for days does not fill the memory.
 * For decisions, which take about 750 bytes each, this is a quarter of an hour of video and audio in segments of 2 s, longer
 * than what players buffer.
 */
export const LATEST = 1000;

/** Appends `entry`, and removes the oldest entry when there are more than `LATEST`. */
export function addLatest<T>(entries: T[], entry: T): void {
  entries.push(entry);
  if (entries.length > LATEST) entries.shift();
}

/**
 * How many entries of one kind a session keeps, so that a channel that is on for days does not fill the memory: of
 * decisions, which take about 750 bytes each, a quarter of an hour of video and audio in segments of 2 s. That is longer
 * than what players buffer.
 */
export const LATEST = 1000;

/** Appends `entry`; the oldest goes when there are more than `LATEST`. */
export function addLatest<T>(entries: T[], entry: T): void {
  entries.push(entry);
  if (entries.length > LATEST) entries.shift();
}

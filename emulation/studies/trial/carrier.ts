import type { Course, Part } from './trial-player.ts';

/** Plays parts, as many at a time as it was opened for. */
export interface PartWriter {
  /** The part's folder is there afterwards, unless the trial was cut off by `signal`. Throws an Error of one line. */
  write(part: Part, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** What carries a trial's sessions. */
export interface Carrier {
  /** A day is played in parts of so many, of which those that are finished are kept. */
  readonly sessionsOfAPart: number;
  /** What a session takes beside its watch time, s; null where time is virtual. */
  readonly besides_s: number | null;
  open(course: Course, jobs: number): Promise<PartWriter>;
}

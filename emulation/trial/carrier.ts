import type { Course, Part } from './trial-player.ts';

/** Plays one part at a time. */
export interface Lane {
  /** The part's folder is there afterwards, unless the trial was cut off. Throws an Error of one line. */
  write(part: Part): Promise<void>;
  close(): Promise<void> | void;
}

/** What carries a trial's sessions. */
export interface Carrier {
  /** A day is played in parts of so many, of which those that are finished are kept. */
  readonly sessionsOfAPart: number;
  /** What a session takes beside its watch time, s; null where time is virtual. */
  readonly besides_s: number | null;
  /** So many lanes. */
  open(course: Course, jobs: number): Promise<readonly Lane[]>;
}

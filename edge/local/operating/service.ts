import type { Milliseconds } from '../../../src/units.ts';
import type { Snapshot } from './snapshot.ts';

/** An edge that serves, in this process or in several. */
export interface Service {
  readonly port: number;
  readonly url: string;
  /** False while no process takes requests. */
  isServing(): boolean;
  /** What it has done so far. */
  snapshot(): Snapshot;
  /** Takes no further connections and requests, and ends when clients have what they asked for, after `patience` at the latest. */
  drain(patience: Milliseconds): Promise<void>;
  /** Ends at once, with whatever is in flight. */
  close(): Promise<void>;
}

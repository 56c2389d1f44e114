import type { Milliseconds } from '../../../src/units.ts';
import type { PaceChange } from '../changes/pace-changes.ts';
import type { LiveSettings } from './settings.ts';
import type { Snapshot } from './snapshot.ts';

/** A running edge, in this process or in several. */
export interface Service {
  readonly port: number;
  readonly url: string;
  /** False while no process takes requests. */
  isServing(): boolean;
  /** Its counters so far. */
  snapshot(): Promise<Snapshot>;
  /** Uses these settings from the next request on. Throws an Error of one line where it cannot. */
  reload(live: LiveSettings): void;
  /** Changes the pace of a response that is under way in this process. */
  changePace(change: PaceChange): void;
  /** Takes no more connections or requests; ends when clients have their responses, after `patience` at the latest. */
  drain(patience: Milliseconds): Promise<void>;
  /** Ends at once, and breaks off the responses under way. */
  close(): Promise<void>;
}

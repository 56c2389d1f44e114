import type { Milliseconds } from '../../../src/units.ts';
import type { PaceChange } from '../changes/pace-changes.ts';
import type { LiveSettings } from './settings.ts';
import type { Snapshot } from './snapshot.ts';

/** A running edge, in this process or in several. */
export interface Service {
  readonly port: number;
  readonly url: string;
  /** False while no process accepts requests. */
  isServing(): boolean;
  /** Its counters so far. */
  snapshot(): Promise<Snapshot>;
  /** Applies these settings to the following requests. Throws an Error of one line if that fails. */
  reload(live: LiveSettings): void;
  /** Changes the pace of a response that is in flight in this process. */
  changePace(change: PaceChange): void;
  /** Stops accepting connections and requests; ends when clients have their responses, after `patience` at the latest. */
  drain(patience: Milliseconds): Promise<void>;
  /** Ends at once, and breaks off the responses under way. */
  close(): Promise<void>;
}

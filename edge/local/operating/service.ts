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
  snapshot(): Promise<Snapshot>;
  /** Applies these settings to the following requests. Throws a one-line Error if this fails. */
  reload(live: LiveSettings): void;
  /** Changes the pace of a response that is in flight in this process. */
  changePace(change: PaceChange): void;
  /**
   * Stops accepting connections and requests. Ends when the clients have received their responses, or after `patience`.
   */
  drain(patience: Milliseconds): Promise<void>;
  /** Ends at once, and aborts the responses in flight. */
  close(): Promise<void>;
}

import type { Milliseconds } from '../../../src/units.ts';
import type { PaceChange } from '../changes/pace-changes.ts';
import type { AsTableFile } from '../networks/as-table.ts';
import type { LiveSettings, Settings } from './settings.ts';
import type { Snapshot } from './snapshot.ts';

/** The messages of a worker to its primary process. */
export type FromWorker =
  /** The worker is waiting for the `begin` message. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'serving'; readonly url: string; readonly port: number }
  /** The worker cannot serve, and ends. The line has the reason. */
  | { readonly kind: 'failed'; readonly line: string }
  | { readonly kind: 'done-so-far'; readonly snapshot: Snapshot }
  /** The response to change is not in flight in this worker. */
  | { readonly kind: 'change'; readonly change: PaceChange };

/** The messages to a worker. */
export type ToWorker =
  /** Start serving, with the data that all workers share. Replacement workers get the same data. */
  | { readonly kind: 'begin'; readonly settings: Settings; readonly asTable: AsTableFile | null }
  /** Use these settings for the following requests. */
  | { readonly kind: 'reload'; readonly live: LiveSettings }
  /** Change the pace of a response if it belongs to this worker. */
  | { readonly kind: 'change'; readonly change: PaceChange }
  /** End when the clients have received their responses, or after `patience`; 0 means at once. */
  | { readonly kind: 'end'; readonly patience: Milliseconds };

import type { Milliseconds } from '../../../src/units.ts';
import type { PaceChange } from '../changes/pace-changes.ts';
import type { AsTableFile } from '../networks/as-table.ts';
import type { LiveSettings, Settings } from './settings.ts';
import type { Snapshot } from './snapshot.ts';

/** The messages of a worker to its primary process. */
export type FromWorker =
  /** The worker waits for the data that all workers share. */
  | { readonly kind: 'starting' }
  | { readonly kind: 'serving'; readonly url: string; readonly port: number }
  /** The worker cannot serve, and ends; the line says why. */
  | { readonly kind: 'failed'; readonly line: string }
  | { readonly kind: 'done-so-far'; readonly snapshot: Snapshot }
  /** The response to change does not belong to this worker. */
  | { readonly kind: 'change'; readonly change: PaceChange };

/** The messages to a worker. */
export type ToWorker =
  /** Start serving, with the data that all workers share. Replacement workers get the same data. */
  | { readonly kind: 'begin'; readonly settings: Settings; readonly asTable: AsTableFile | null }
  /** Use these settings for the following requests. */
  | { readonly kind: 'reload'; readonly live: LiveSettings }
  /** Change the pace of a response if it belongs to this worker. */
  | { readonly kind: 'change'; readonly change: PaceChange }
  /** End when the clients have their responses, after `patience` at the latest; 0 means at once. */
  | { readonly kind: 'end'; readonly patience: Milliseconds };

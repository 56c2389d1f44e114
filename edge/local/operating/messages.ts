import type { Milliseconds } from '../../../src/units.ts';
import type { Snapshot } from './snapshot.ts';

/** What a worker tells the process that it belongs to. */
export type FromWorker =
  | { readonly kind: 'serving'; readonly url: string; readonly port: number }
  /** It cannot serve, and ends: one line that says why. */
  | { readonly kind: 'failed'; readonly line: string }
  | { readonly kind: 'done-so-far'; readonly snapshot: Snapshot };

/** What it is told: end when clients have what they asked for, at the latest after `patience`; or at once where that is 0. */
export interface ToWorker {
  readonly kind: 'end';
  readonly patience: Milliseconds;
}

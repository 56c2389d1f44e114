import type { Milliseconds } from '../../../src/units.ts';
import type { Snapshot } from './snapshot.ts';

/** The messages of a worker to its primary process. */
export type FromWorker =
  | { readonly kind: 'serving'; readonly url: string; readonly port: number }
  /** The worker cannot serve, and ends; the line says why. */
  | { readonly kind: 'failed'; readonly line: string }
  | { readonly kind: 'done-so-far'; readonly snapshot: Snapshot };

/** The message to a worker: end when the clients have their responses, after `patience` at the latest; 0 means at once. */
export interface ToWorker {
  readonly kind: 'end';
  readonly patience: Milliseconds;
}

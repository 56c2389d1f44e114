import { attach } from './dash/attach.ts';
import type { AttachOptions, SammyHandle } from './host/handle.ts';
import type { MediaPlayerLike } from './dash/player.ts';
import { V5 } from './dash/versions/v5.ts';

/**
 * Adds Sammy to a dash.js 5 player, before or after its `initialize`. Throws an Error if an option is out of range, the
 * dash.js version is not supported, or Sammy is already attached to this player.
 *
 * @example
 * ```ts
 * import { MediaPlayer } from 'dashjs';
 * import { attachSammy } from 'dashjs-sammy';
 *
 * const player = MediaPlayer().create();
 * const sammy = attachSammy(player);
 * player.initialize(document.querySelector('video')!, 'https://edge.example/video/manifest.mpd', true);
 * sammy.on('warning', ({ code, message }) => console.warn(code, message));
 * ```
 */
export const attachSammy = (player: MediaPlayerLike, options: AttachOptions = {}): SammyHandle =>
  attach(player, options, [V5], "5.0.2 or a later 5, or 4.7 or a later 4 with 'dashjs-sammy/dashjs-4'");

export { sidecar } from './host/browser/sidecar.ts';
export type { SidecarOptions } from './host/browser/sidecar.ts';
export type { AttachOptions, SammyEvents, SammyHandle, SammyWarning, WarningCode } from './host/handle.ts';
export type { MediaPlayerLike } from './dash/player.ts';
export type * from './abr/abr.ts';
export type { AbrName } from './abr/algorithms.ts';
export type * from './decision.ts';
export type { TextStorage } from './learning/text-storage.ts';
export type { Ladder, Rung } from './film/ladder.ts';
export type { MediaType } from './film/media-type.ts';
export { DEFAULTS } from './options.ts';
export type { ResolvedOptions, SammyOptions } from './options.ts';
export type { PaceDecision, PaceInput, PacePolicy } from './pace/pace.ts';
export type { Segment, SegmentSizes } from './film/segments.ts';
export { smooth } from './pace/smooth.ts';
export type { SmoothOptions } from './pace/smooth.ts';
export type { Sidecar } from './film/sidecar.ts';
export { sessionSummary } from './session/summary.ts';
export type { SessionRecorder, SessionSummary } from './session/summary.ts';
export { parseReceipt } from './wire/receipt.ts';
export type { Receipt } from './wire/receipt.ts';

import type { AttachOptions, SammyHandle } from './host/handle.ts';
import { attach } from './shaka/attach.ts';
import type { ShakaLike } from './shaka/shaka-like.ts';

/** The entry for Shaka Player. It exports the same names as the main entry. */
export * from './index.ts';
export type { ShakaLike } from './shaka/shaka-like.ts';

/**
 * Adds Sammy to a Shaka Player 5.2 or later 5.x, before or after its `load`. Throws an Error if an option is out of
 * range, the version is not supported, or Sammy is already attached to this player.
 *
 * @example
 * ```ts
 * import shaka from 'shaka-player';
 * import { attachSammy } from 'dashjs-sammy/shaka';
 *
 * const player = new shaka.Player();
 * const sammy = attachSammy(player);
 * await player.attach(document.querySelector('video')!);
 * await player.load('https://edge.example/video/manifest.mpd');
 * sammy.on('warning', ({ code, message }) => console.warn(code, message));
 * ```
 */
export const attachSammy = (player: ShakaLike, options: AttachOptions = {}): SammyHandle =>
  attach(player, options);

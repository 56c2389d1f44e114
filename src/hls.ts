import { attach } from './hls/attach.ts';
import type { HlsLike } from './hls/hls-like.ts';
import type { AttachOptions, SammyHandle } from './host/handle.ts';

/** The entry for hls.js. It exports the same names as the main entry. */
export * from './index.ts';
export type { HlsLike } from './hls/hls-like.ts';

/**
 * Adds Sammy to an hls.js 1.6 or 1.7 player, before or after its `loadSource`. Throws an Error if an option is out of
 * range, the hls.js version is not supported, or Sammy is already attached to this player.
 *
 * @example
 * ```ts
 * import Hls from 'hls.js';
 * import { attachSammy } from 'dashjs-sammy/hls';
 *
 * const hls = new Hls();
 * const sammy = attachSammy(hls);
 * hls.loadSource('https://edge.example/video/master.m3u8');
 * hls.attachMedia(document.querySelector('video')!);
 * sammy.on('warning', ({ code, message }) => console.warn(code, message));
 * ```
 */
export const attachSammy = (player: HlsLike, options: AttachOptions = {}): SammyHandle =>
  attach(player, options);

import { attach } from './dash/attach.ts';
import type { AttachOptions, SammyHandle } from './host/handle.ts';
import type { MediaPlayerLike } from './dash/player.ts';
import { V4 } from './dash/versions/v4.ts';
import { V5 } from './dash/versions/v5.ts';

/** The package's entry for dash.js 4.7 and 5. It exports the same names as the main entry. */
export * from './index.ts';

/** Like `attachSammy` of the main entry, for a dash.js 4.7 or 5 player. */
export const attachSammy = (player: MediaPlayerLike, options: AttachOptions = {}): SammyHandle =>
  attach(player, options, [V4, V5], '4.7 or a later 4, 5.0.2 or a later 5');

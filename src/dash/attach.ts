import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { attachTo, requireUnattached } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import type { DashPlayer, MediaPlayerLike } from './player.ts';
import { Session } from './session.ts';
import { adapterFor, type Adapter } from './versions/adapter.ts';

/** Attaches Sammy to a dash.js player that one of `adapters` supports; `expected` lists those versions for the error message. */
export function attach(
  mediaPlayer: MediaPlayerLike,
  options: AttachOptions,
  adapters: readonly Adapter[],
  expected: string,
): SammyHandle {
  const player = mediaPlayer as DashPlayer;
  const { install, restartsPlayback } = requireAdapter(player, adapters, expected);
  return attachTo<Session>(player, options, {
    makeSession: (initial, context) => new Session(initial, context, player),
    readMedia: () => attempt(() => player.getVideoElement()) ?? null,
    readSource: () => attempt(() => player.getSource()),
    install: (attachment) => install(player, attachment),
    restartsPlayback,
  });
}

/** Throws an Error if `player` is not a dash.js player, its version is not supported, or Sammy is already attached. */
function requireAdapter(player: DashPlayer, adapters: readonly Adapter[], expected: string): Adapter {
  const version = attempt(() => player.getVersion());
  demand(
    version !== undefined,
    'attachSammy: player',
    player,
    'a dash.js MediaPlayer (for hls.js: dashjs-sammy/hls)',
  );
  const adapter = adapterFor(version, adapters);
  demand(adapter !== undefined, 'attachSammy: dash.js', version, expected);
  requireUnattached(player);
  return adapter;
}

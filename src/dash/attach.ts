import { attempt } from '../attempt.ts';
import { attachTo, requirePlayer } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import type { DashPlayer, MediaPlayerLike } from './player.ts';
import { Session } from './session.ts';
import { adapterFor, type Adapter } from './versions/adapter.ts';

/**
 * Attaches Sammy to a dash.js player of a version that one of `adapters` supports. Throws an Error for other versions,
 * with `listedVersions` as the list of supported versions.
 */
export function attach(
  mediaPlayer: MediaPlayerLike,
  options: AttachOptions,
  adapters: readonly Adapter[],
  listedVersions: string,
): SammyHandle {
  const player = mediaPlayer as DashPlayer;
  const { install, restartsPlayback } = requirePlayer(player, {
    kind: 'a dash.js MediaPlayer (for hls.js: dashjs-sammy/hls)',
    readVersion: () => player.getVersion(),
    name: 'dash.js',
    findSupport: (version) => adapterFor(version, adapters),
    supportedVersions: listedVersions,
  });
  return attachTo<Session>(player, options, {
    makeSession: (initial, context) => new Session(initial, context, player),
    readMedia: () => attempt(() => player.getVideoElement()) ?? null,
    readSource: () => attempt(() => player.getSource()),
    install: (attachment) => install(player, attachment),
    restartsPlayback,
  });
}

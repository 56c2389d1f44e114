import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { createAttachment, requireUnattached } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { listenToPlayback } from './playback-events.ts';
import type { DashPlayer, MediaPlayerLike } from './player.ts';
import { Session, type DashAttachment } from './session.ts';
import { adapterFor, type Adapter, type Installation } from './versions/adapter.ts';
import { hasSammyRule } from './versions/rules.ts';

/** Attaches Sammy to a dash.js player that one of `adapters` supports; `expected` lists those versions for the error message. */
export function attach(
  mediaPlayer: MediaPlayerLike,
  options: AttachOptions,
  adapters: readonly Adapter[],
  expected: string,
): SammyHandle {
  const player = mediaPlayer as DashPlayer;
  const adapter = requireAdapter(player, adapters, expected);
  let installation: Installation | undefined;
  const attachment: DashAttachment = createAttachment(player, options, {
    makeSession: (initial, context) => new Session(initial, context, player),
    readMedia: () => attempt(() => player.getVideoElement()) ?? null,
    readSource: () => attempt(() => player.getSource()),
    refresh: () => installation?.refresh(),
    uninstall() {
      stopListening();
      installation?.uninstall();
    },
  });
  // After the end of a source, the player's reset() removes rules, interceptors and settings; the microtask runs later.
  const reinstall = () => {
    queueMicrotask(() =>
      attachment.guarded(() => {
        if (!attachment.isAttached || hasSammyRule(player)) return;
        installation?.uninstall();
        installation = adapter.install(player, attachment);
      }),
    );
  };
  const stopListening = listenToPlayback(player, attachment, reinstall);
  installation = adapter.install(player, attachment);
  return attachment.installed(adapter.restartsPlayback);
}

/** Throws an Error if `player` is not a dash.js player, its version is not supported, or Sammy is already attached. */
function requireAdapter(player: DashPlayer, adapters: readonly Adapter[], expected: string): Adapter {
  const version = attempt(() => player.getVersion());
  demand(version !== undefined, 'attachSammy: player', player, 'a dash.js MediaPlayer');
  const adapter = adapterFor(version, adapters);
  demand(adapter !== undefined, 'attachSammy: dash.js', version, expected);
  requireUnattached(player);
  return adapter;
}

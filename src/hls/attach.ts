import { attachTo, requirePlayer, type Installation } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { followRequests } from './follow-requests.ts';
import { makeLoaderClass, type Follow } from './loader.ts';
import { listenToPlayback } from './playback-events.ts';
import type { HlsLike } from './hls-like.ts';
import type { HlsPlayer } from './player.ts';
import { Session, type HlsAttachment } from './session.ts';
import { takeOver } from './takeover.ts';

const SUPPORTED = /^v?1\.([6-9]|\d\d)\./;

/**
 * Attaches Sammy to an hls.js player. Throws an Error if `player` is not an hls.js player or its version is not
 * supported.
 */
export function attach(player: HlsLike, options: AttachOptions): SammyHandle {
  const hls = player as HlsPlayer;
  requirePlayer(hls, {
    kind: 'an hls.js player that is not destroyed',
    // After `destroy`, the configuration is null, in spite of its type.
    readVersion: () =>
      (hls.userConfig as object | null) && (hls.constructor as { readonly version?: unknown }).version,
    name: 'hls.js',
    findSupport: (version) => SUPPORTED.test(version),
    supportedVersions: '1.6 or a later 1',
  });
  return attachTo<Session>(hls, options, {
    makeSession: (initial, context) => new Session(initial, context, hls),
    readMedia: () => hls.media,
    readSource: () => hls.url ?? undefined,
    install: (attachment) => install(hls, attachment),
  });
}

function install(hls: HlsPlayer, attachment: HlsAttachment): Installation {
  const { config } = hls;
  let before = config.fLoader;
  /** Undefined after `uninstall`, because hls.js may still use the loader. */
  let follow: Follow | undefined = followRequests(hls, attachment);
  const SammyLoader = makeLoaderClass(
    (given) => new (before ?? config.loader)(given),
    (...request) => follow?.(...request),
  );
  config.fLoader = SammyLoader;
  const keepLoader = () => {
    if (config.fLoader === SammyLoader) return;
    attachment.warnings.warn('settings-overridden', "other code changed Sammy's settings");
    before = config.fLoader;
    config.fLoader = SammyLoader;
  };
  const takeover = takeOver(hls, attachment, keepLoader);
  const stopListening = listenToPlayback(hls, attachment, takeover);
  attachment.currentSession.begun = hls.url !== null;
  return {
    refresh: takeover.refresh,
    uninstall() {
      follow = undefined;
      stopListening();
      takeover.restore();
      if (config.fLoader === SammyLoader) config.fLoader = before;
    },
  };
}

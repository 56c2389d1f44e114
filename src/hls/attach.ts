import { attachTo, requirePlayer, type Installation } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import type { HlsLike } from './hls-like.ts';
import { listenToPlayback } from './playback-events.ts';
import type { HlsPlayer } from './player.ts';
import { installLoader } from './requests.ts';
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
  const restoreLoader = installLoader(hls, attachment);
  const takeover = takeOver(hls, attachment);
  const stopListening = listenToPlayback(hls, attachment, takeover);
  attachment.currentSession.begun = hls.url !== null;
  return {
    refresh: takeover.refresh,
    uninstall() {
      stopListening();
      takeover.restore();
      restoreLoader();
    },
  };
}

import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { createAttachment, requireUnattached } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { followRequests } from './follow-requests.ts';
import { makeLoaderClass } from './loader.ts';
import { listenToPlayback } from './playback-events.ts';
import type { HlsLike } from './hls-like.ts';
import type { HlsPlayer } from './player.ts';
import { Session, type HlsAttachment } from './session.ts';
import { takeOver } from './takeover.ts';

const SUPPORTED = /^v?1\.([6-9]|\d\d)\./;

/** Puts Sammy into an hls.js player. */
export function attach(player: HlsLike, options: AttachOptions): SammyHandle {
  const hls = requirePlayer(player);
  const { config } = hls;
  const attachment: HlsAttachment = createAttachment(hls, options, {
    makeSession: (initial, context) => new Session(initial, context, hls),
    readMedia: () => hls.media,
    readSource: () => hls.url ?? undefined,
    refresh: () => takeover.refresh(),
    uninstall() {
      stopListening();
      takeover.restore();
      if (config.fLoader === SammyLoader) config.fLoader = before;
    },
  });
  let before = config.fLoader;
  const SammyLoader = makeLoaderClass(
    (given) => new (before ?? config.loader)(given),
    followRequests(hls, attachment),
  );
  config.fLoader = SammyLoader;
  const keepLoader = () => {
    if (config.fLoader === SammyLoader) return;
    attachment.warnings.warn('settings-overridden', 'settings that Sammy overrides were set');
    before = config.fLoader;
    config.fLoader = SammyLoader;
  };
  const takeover = takeOver(hls, attachment, keepLoader);
  const stopListening = listenToPlayback(hls, attachment, takeover);
  attachment.currentSession.begun = hls.url !== null;
  return attachment.installed();
}

/** Throws an Error if this is not an hls.js player, if its version is not supported, or if Sammy is already attached. */
function requirePlayer(player: HlsLike): HlsPlayer {
  const hls = player as HlsPlayer;
  const version = attempt(() => {
    const { version: given } = hls.constructor as { readonly version?: unknown };
    return typeof hls.config.loader === 'function' ? String(given) : undefined;
  });
  demand(version !== undefined, 'attachSammy: player', player, 'an hls.js player');
  demand(SUPPORTED.test(version), 'attachSammy: hls.js', version, '1.6 or a later 1');
  requireUnattached(hls);
  return hls;
}

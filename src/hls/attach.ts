import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { attachTo, requireUnattached, type Installation } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { followRequests } from './follow-requests.ts';
import { makeLoaderClass, type Follow } from './loader.ts';
import { listenToPlayback } from './playback-events.ts';
import type { HlsLike } from './hls-like.ts';
import type { HlsPlayer } from './player.ts';
import { Session, type HlsAttachment } from './session.ts';
import { takeOver } from './takeover.ts';

const SUPPORTED = /^v?1\.([6-9]|\d\d)\./;

/** Attaches Sammy to an hls.js player. */
export function attach(player: HlsLike, options: AttachOptions): SammyHandle {
  const hls = requirePlayer(player);
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
  /** Undefined after `uninstall`, when hls.js may still have the loader. */
  let follow: Follow | undefined = followRequests(hls, attachment);
  const SammyLoader = makeLoaderClass(
    (given) => new (before ?? config.loader)(given),
    (...request) => follow?.(...request),
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

/** Throws an Error if this is not an hls.js player, if its version is not supported, or if Sammy is already attached. */
function requirePlayer(player: HlsLike): HlsPlayer {
  const hls = player as HlsPlayer;
  const version = attempt(() => {
    const { version: given } = hls.constructor as { readonly version?: unknown };
    return typeof hls.config.loader === 'function' ? String(given) : undefined;
  });
  demand(version !== undefined, 'attachSammy: player', player, 'an hls.js player');
  demand(SUPPORTED.test(version), 'attachSammy: hls.js', version, '1.6 or a later 1');
  // Null once destroyed, whatever its type says.
  if ((hls.userConfig as object | null) === null) throw new Error('attachSammy: player is destroyed');
  requireUnattached(hls);
  return hls;
}

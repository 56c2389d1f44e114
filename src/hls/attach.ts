import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { PlayerAttachment } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { followRequests } from './follow-requests.ts';
import { makeLoaderClass } from './loader.ts';
import { listenToPlayback } from './playback-events.ts';
import type { HlsLike } from './hls-like.ts';
import type { HlsPlayer } from './player.ts';
import { Session, type HlsAttachment } from './session.ts';
import { readPlayhead } from './state.ts';
import { takeOver } from './takeover.ts';

const SUPPORTED = /^v?1\.([6-9]|\d\d)\./;

/** Marks a player that Sammy is attached to, maybe by another copy of the plug-in. */
const ATTACHED = Symbol.for('dashjs-sammy');

/** Puts Sammy into an hls.js player. */
export function attach(player: HlsLike, options: AttachOptions): SammyHandle {
  const hls = requirePlayer(player);
  const { config } = hls;
  const attachment: HlsAttachment = new PlayerAttachment(options, {
    makeSession: (initial, context) => new Session(initial, context, hls),
    readPlayhead: () => readPlayhead(hls),
    readSource: () => hls.url ?? undefined,
    refresh: () => takeover.refresh(),
    uninstall() {
      Reflect.deleteProperty(hls, ATTACHED);
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
  Object.defineProperty(hls, ATTACHED, { configurable: true, value: true });
  const { session } = attachment;
  session.begun = hls.url !== null;
  if (hls.media && !hls.media.paused && hls.media.currentTime > 0) session.core.attachedMidPlayback();
  return attachment.handle;
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
  if (ATTACHED in hls) throw new Error('attachSammy: already attached; call detach() first');
  return hls;
}

import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { attachTo, requireUnattached, type Installation } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { listenToPlayback } from './playback-events.ts';
import type { ShakaPlayer } from './player.ts';
import { Requests } from './requests.ts';
import { Session, type ShakaAttachment } from './session.ts';
import type { ShakaLike } from './shaka-like.ts';
import { Takeover } from './takeover.ts';

/** Older versions do not tell a manager that a stream has low latency. */
const SUPPORTED = /^v?5\.([2-9]|\d\d)\./;

/** Attaches Sammy to a Shaka player. */
export function attach(given: ShakaLike, options: AttachOptions): SammyHandle {
  const player = requirePlayer(given);
  return attachTo<Session>(player, options, {
    makeSession: (initial, context) => new Session(initial, context, player),
    readMedia: () => player.getMediaElement(),
    readSource: () => player.getAssetUri() ?? undefined,
    install: (attachment) => install(player, attachment),
  });
}

function install(player: ShakaPlayer, attachment: ShakaAttachment): Installation {
  attachment.currentSession.begun = player.getAssetUri() !== null;
  const takeover = new Takeover(player, attachment);
  const requests = new Requests(player, attachment, takeover);
  requests.register();
  const stopListening = listenToPlayback(player, attachment, takeover, requests);
  return {
    refresh: () => undefined,
    uninstall() {
      stopListening();
      // The player may have been destroyed.
      attempt(() => requests.unregister());
      attempt(() => takeover.restore());
    },
  };
}

/** Throws an Error if this is not a Shaka player, if its version is not supported, or if Sammy is already attached. */
function requirePlayer(given: ShakaLike): ShakaPlayer {
  const player = given as ShakaPlayer;
  const version = attempt(() => {
    const { version: found } = player.constructor as { readonly version?: unknown };
    return typeof player.getBufferedInfo === 'function' ? String(found) : undefined;
  });
  demand(version !== undefined, 'attachSammy: player', player, 'a Shaka player');
  demand(SUPPORTED.test(version), 'attachSammy: Shaka Player', version, '5.2 or a later 5');
  if (!player.getNetworkingEngine()) throw new Error('attachSammy: player is destroyed');
  requireUnattached(player);
  return player;
}

import { attempt } from '../attempt.ts';
import { attachTo, requirePlayer, type Installation } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { listenToPlayback } from './playback-events.ts';
import type { ShakaPlayer } from './player.ts';
import { Requests } from './requests.ts';
import { Session, type InFlight, type ShakaAttachment } from './session.ts';
import type { ShakaLike } from './shaka-like.ts';
import { Takeover } from './takeover.ts';

/** Older versions do not report to an AbrManager whether a stream has low latency. */
const SUPPORTED = /^v?5\.([2-9]|\d\d)\./;

/**
 * Attaches Sammy to a Shaka player. Throws an Error if `shaka` is not a Shaka player or its version is not supported.
 */
export function attach(shaka: ShakaLike, options: AttachOptions): SammyHandle {
  const player = shaka as ShakaPlayer;
  requirePlayer(player, {
    kind: 'a Shaka player that is not destroyed',
    readVersion: () =>
      player.getNetworkingEngine() && (player.constructor as { readonly version?: unknown }).version,
    name: 'Shaka Player',
    findSupport: (version) => SUPPORTED.test(version),
    supportedVersions: '5.2 or a later 5',
  });
  return attachTo<Session>(player, options, {
    makeSession: (initial, context) => new Session(initial, context, player),
    readMedia: () => player.getMediaElement(),
    readSource: () => player.getAssetUri() ?? undefined,
    install: (attachment) => install(player, attachment),
  });
}

function install(player: ShakaPlayer, attachment: ShakaAttachment): Installation {
  attachment.currentSession.begun = player.getAssetUri() !== null;
  const inFlight: InFlight = new Map();
  const takeover = new Takeover(player, attachment, inFlight);
  const requests = new Requests(player, attachment, takeover, inFlight);
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

import { attempt } from '../attempt.ts';
import { demand } from '../demand.ts';
import { attachTo, requireUnattached, type Installation } from '../host/attachment.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { listenTo } from '../host/listen-to.ts';
import { followMedia } from '../host/media-element.ts';
import type { ShakaPlayer, Stream } from './player.ts';
import { followRequests } from './requests.ts';
import { Session, type ShakaAttachment } from './session.ts';
import type { ShakaLike } from './shaka-like.ts';
import { takeOver, type Takeover } from './takeover.ts';

const SUPPORTED = /^v?5\./;

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
  const requests = followRequests(player, attachment, () => takeover);
  const takeover: Takeover = takeOver(player, attachment, requests.segmentDownloaded);
  const listenToMedia = followMedia(attachment);
  const events = {
    on: (type: string, listener: (event: never) => void) => player.addEventListener(type, listener),
    off: (type: string, listener: (event: never) => void) => player.removeEventListener(type, listener),
  };
  const stopListening = listenTo(events, {
    ...requests.listeners,
    loading() {
      listenToMedia(player.getMediaElement());
      attachment.guarded(() => attachment.currentSession.begin());
    },
    unloading() {
      if (attachment.currentSession.begun) attachment.guarded(() => attachment.sourceEnded());
    },
    segmentappended({ contentType }: { readonly contentType: string }) {
      if (contentType === 'video' || contentType === 'audio') takeover.choose(contentType);
    },
  });
  listenToMedia(player.getMediaElement());
  return {
    refresh: () => undefined,
    uninstall() {
      stopListening();
      listenToMedia(null);
      requests.stop();
      attempt(() => takeover.restore());
    },
  };
}

/** Throws an Error if this is not a Shaka player, if its version is not supported, or if Sammy is already attached. */
function requirePlayer(given: ShakaLike): ShakaPlayer {
  const player = given as ShakaPlayer;
  const version = attempt(() => {
    const { version: found } = player.constructor as { readonly version?: unknown };
    return typeof player.getConfiguration().abrFactory === 'function' ? String(found) : undefined;
  });
  demand(version !== undefined, 'attachSammy: player', player, 'a Shaka player');
  demand(SUPPORTED.test(version), 'attachSammy: Shaka Player', version, '5');
  if (!player.getNetworkingEngine()) throw new Error('attachSammy: player is destroyed');
  requireUnattached(player);
  return player;
}

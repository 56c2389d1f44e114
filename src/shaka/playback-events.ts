import { listenTo } from '../host/listen-to.ts';
import { followMedia } from '../host/media-element.ts';
import { isPaceable } from '../host/media-types.ts';
import type { ShakaPlayer } from './player.ts';
import type { Requests } from './requests.ts';
import type { ShakaAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';

type Listener = (event: never) => void;

/**
 * Forwards the events of Shaka and of its media element to the current session. A new source starts the next session.
 * Returns a function that stops listening.
 */
export function listenToPlayback(
  player: ShakaPlayer,
  attachment: ShakaAttachment,
  takeover: Takeover,
  requests: Requests,
): () => void {
  // Choose again after a seek out of the buffer, because Shaka would continue with the present streams.
  const listenToMedia = followMedia(attachment, () => takeover.choose());
  const events = {
    on: (type: string, listener: Listener) => void player.addEventListener(type, listener as EventListener),
    off: (type: string, listener: Listener) =>
      void player.removeEventListener(type, listener as EventListener),
  };
  const stopListening = listenTo(events, {
    ...requests.listeners,
    loading: () =>
      attachment.guarded(() => {
        listenToMedia(player.getMediaElement());
        requests.register();
        takeover.keep();
        attachment.currentSession.begin();
      }),
    unloading: () => attachment.guarded(() => attachment.sourceEnded()),
    // Choose between two downloads of a media type, because a switch then aborts no download.
    segmentappended({ contentType }: { readonly contentType: string }) {
      if (isPaceable(contentType)) takeover.choose(contentType);
    },
  });
  listenToMedia(player.getMediaElement());
  return () => {
    stopListening();
    listenToMedia(null);
  };
}

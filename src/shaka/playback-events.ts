import { listenTo } from '../host/listen-to.ts';
import { followMedia } from '../host/media-element.ts';
import { readPlayable } from '../host/playable.ts';
import type { ShakaPlayer } from './player.ts';
import type { Requests } from './requests.ts';
import type { ShakaAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';

/** The event name `seeking`. Not written as a literal, because the build shortens the property name `seeking`. */
const SEEKING = 'onseeking'.slice('on'.length);

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
  const follow = followMedia(attachment);
  let media: HTMLMediaElement | null = null;
  /** Chooses again after a seek out of the buffer, because Shaka would continue with the present streams. */
  const onSeeking = () => {
    if (attachment.currentSession.core.phase !== 'initial' && readPlayable(media) === 0) takeover.choose();
  };
  const listenToMedia = (next: HTMLMediaElement | null) => {
    follow(next);
    media?.removeEventListener(SEEKING, onSeeking);
    media = next;
    media?.addEventListener(SEEKING, onSeeking);
  };
  const events = {
    on: (type: string, listener: (event: never) => void) => player.addEventListener(type, listener),
    off: (type: string, listener: (event: never) => void) => player.removeEventListener(type, listener),
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
    unloading: () =>
      attachment.guarded(() => {
        if (attachment.currentSession.begun) attachment.sourceEnded();
      }),
    // Choose between two downloads of a media type, because a switch then aborts no download.
    segmentappended({ contentType }: { readonly contentType: string }) {
      if (contentType === 'video' || contentType === 'audio') takeover.choose(contentType);
    },
  });
  listenToMedia(player.getMediaElement());
  return () => {
    stopListening();
    listenToMedia(null);
  };
}

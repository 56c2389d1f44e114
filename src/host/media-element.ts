import { seconds, type Seconds } from '../units.ts';
import type { PlayerAttachment } from './attachment.ts';
import type { PageSession } from './page-session.ts';

/** Seconds buffered ahead of the playhead for all media types. It is correct even during a seek. */
export function readPlayable(media: HTMLMediaElement | null): Seconds {
  if (!media) return seconds(0);
  const { buffered, currentTime } = media;
  let ahead = 0;
  for (let index = 0; index < buffered.length; index++) {
    if (buffered.start(index) <= currentTime) ahead = Math.max(0, buffered.end(index) - currentTime);
  }
  return seconds(ahead);
}

/**
 * Returns handlers that forward the events of the media element to the session of the current source. They have the names of
 * event handlers, because the build shortens properties such as `seeking`.
 */
export function forwardPlayback(
  attachment: PlayerAttachment<PageSession>,
): Readonly<
  Record<'onplay' | 'onplaying' | 'onwaiting' | 'onpause' | 'onseeking' | 'ontimeupdate', () => void>
> {
  const core = () => attachment.session.core;
  const readAhead = () => readPlayable(attachment.readMedia());
  const guarded = (act: () => void) => () => attachment.guarded(act);
  return {
    onplay: guarded(() => attachment.session.playRequested()),
    onplaying: guarded(() => core().playing()),
    onwaiting: guarded(() => core().waiting()),
    onpause: guarded(() => core().paused()),
    onseeking: guarded(() => core().seeking(readAhead())),
    ontimeupdate: guarded(() => {
      const media = attachment.readMedia();
      if (media) core().playhead(seconds(media.currentTime), readAhead);
    }),
  };
}

/**
 * Forwards the events of a media element to the current session. Returns a function that takes the element to listen to from
 * then on; null for none.
 */
export function followMedia(
  attachment: PlayerAttachment<PageSession>,
): (media: HTMLMediaElement | null) => void {
  let media: HTMLMediaElement | null = null;
  const handlers = forwardPlayback(attachment);
  const listeners = Object.entries({
    ...handlers,
    onseeking() {
      // Before playback, players themselves move the playhead to where it starts.
      if (attachment.session.core.phase !== 'initial') handlers.onseeking();
    },
  }).map(([name, listener]) => [name.slice('on'.length), listener] as const);
  return (next) => {
    for (const [type, listener] of listeners) {
      media?.removeEventListener(type, listener);
      next?.addEventListener(type, listener);
    }
    media = next;
  };
}

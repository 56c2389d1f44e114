import type { PlayerAttachment } from './attachment.ts';
import type { PageSession } from './page-session.ts';
import { readPlayable } from './playable.ts';

/**
 * Forwards the events of a media element to the current session. `leftBuffer` is called after a seek out of the buffer.
 * Returns a function that sets the element to listen to; null for none.
 */
export function followMedia(
  attachment: PlayerAttachment<PageSession>,
  leftBuffer?: () => void,
): (media: HTMLMediaElement | null) => void {
  let media: HTMLMediaElement | null = null;
  const core = () => attachment.currentSession.core;
  // The keys begin with `on`, because the build shortens property names such as `seeking`.
  const listeners = Object.entries({
    onplay: () => attachment.currentSession.playRequested(),
    onplaying: () => core().playing(),
    onwaiting: () => core().waiting(),
    onpause: () => core().paused(),
    onseeking() {
      // Ignore seeks before playback, because players themselves move the playhead to the start position.
      if (core().phase === 'initial') return;
      const playable = readPlayable(media);
      core().seeking(playable);
      if (playable === 0) leftBuffer?.();
    },
    ontimeupdate: () => attachment.currentSession.playheadMoved(),
  }).map(([name, listener]) => [name.slice('on'.length), () => attachment.guarded(listener)] as const);
  return (next) => {
    for (const [type, listener] of listeners) {
      media?.removeEventListener(type, listener);
      next?.addEventListener(type, listener);
    }
    media = next;
  };
}

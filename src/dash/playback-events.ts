import { attempt } from '../attempt.ts';
import { listenTo } from '../host/listen-to.ts';
import { readPlayable } from '../host/playable.ts';
import type { DashPlayer, FragmentRequest, Loader } from './player.ts';
import type { DashAttachment } from './session.ts';
import { hasSammyRule } from './rules.ts';

/**
 * Forwards dash.js's events to the current session. dash.js's playback events exclude seeks that dash.js makes by
 * itself, such as over gaps. `others` are further listeners by event name; they replace the listeners for the same
 * event here. Returns a function that stops listening.
 */
export function listenToPlayback(
  player: DashPlayer,
  attachment: DashAttachment,
  others: Readonly<Record<string, (event: never) => void>>,
): () => void {
  const core = () => attachment.currentSession.core;
  return listenTo(player, {
    fragmentLoadingStarted: ({ request }: { readonly request: FragmentRequest }) =>
      attachment.currentSession.requesting(request),
    fragmentLoadingCompleted: ({ sender }: { readonly sender?: Loader }) =>
      attachment.currentSession.loaded(sender),
    manifestLoadingStarted() {
      // Set the initial bitrate again for each source: it depends on the history, which is stored per origin.
      if (!attachment.currentSession.begun) attachment.refresh();
      attachment.currentSession.begin();
    },
    // With autoplay, dash.js starts playback itself, and the viewer has waited since the source was requested.
    playbackStarted: () => attachment.currentSession.playRequested(attempt(() => !player.getAutoPlay())),
    playbackPlaying: () => core().playing(),
    playbackWaiting: () => core().waiting(),
    playbackPaused: () => core().paused(),
    playbackSeeking: () => core().seeking(readPlayable(attachment.readMedia())),
    playbackTimeUpdated: () => attachment.currentSession.playheadMoved(),
    streamTeardownComplete() {
      // Installing Sammy in dash.js 4.7 may attach the first source again, which has not been requested yet.
      attachment.sourceEnded();
      // After this event, the player's reset() removes rules, interceptors and settings. The microtask runs after
      // reset().
      queueMicrotask(() =>
        attachment.guarded(() => {
          if (!hasSammyRule(player)) attachment.reinstall();
        }),
      );
    },
    ...others,
  });
}

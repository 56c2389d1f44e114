import { listenTo } from '../host/listen-to.ts';
import { forwardPlayback } from '../host/media-element.ts';
import type { DashPlayer, FragmentRequest, Loader } from './player.ts';
import type { DashAttachment } from './session.ts';

/**
 * Forwards dash.js's events to the current session. Its playback events leave out the seeks that dash.js makes by itself, such
 * as over gaps. `sourceEnded` is called once the next session has started. Returns a function that stops listening.
 */
export function listenToPlayback(
  player: DashPlayer,
  attachment: DashAttachment,
  sourceEnded: () => void,
): () => void {
  const media = forwardPlayback(attachment);
  return listenTo<(event: never) => void>(player, {
    fragmentLoadingStarted: ({ request }: { readonly request: FragmentRequest }) => {
      attachment.session.requesting(request);
    },
    fragmentLoadingCompleted: ({ sender }: { readonly sender?: Loader }) => {
      attachment.session.loaded(sender);
    },
    manifestLoadingStarted: () => {
      // The history is kept per origin and determines the initial bitrate, which is therefore set again for each source.
      if (!attachment.session.begun) attachment.refresh();
      attachment.session.begin();
    },
    playbackStarted: media.onplay,
    playbackPlaying: media.onplaying,
    playbackWaiting: media.onwaiting,
    playbackPaused: media.onpause,
    playbackSeeking: media.onseeking,
    playbackTimeUpdated: media.ontimeupdate,
    streamTeardownComplete: () => {
      // Installing Sammy in dash.js 4.7 may attach the first source again; that does not end a session.
      if (!attachment.session.begun) return;
      attachment.sourceEnded();
      sourceEnded();
    },
  });
}

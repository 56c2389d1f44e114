import { seconds } from '../units.ts';
import { listenTo } from './listen-to.ts';
import type { DashPlayer, FragmentRequest, Loader } from './player.ts';
import type { Session } from './session.ts';
import { readBufferAhead, readPlayhead } from './state.ts';

/**
 * Forwards dash.js's playback events to the current session. `sourceKnown` is called once per source, before its first
 * request; `sourceEnded` when a source has ended, to start the next session. Returns a function that stops listening.
 */
export function listenToPlayback(
  player: DashPlayer,
  session: () => Session,
  sourceKnown: () => void,
  sourceEnded: () => void,
): () => void {
  return listenTo(player, {
    fragmentLoadingStarted: ({ request }: { readonly request: FragmentRequest }) => {
      session().requesting(request);
    },
    fragmentLoadingCompleted: ({ sender }: { readonly sender?: Loader }) => {
      session().loaded(sender);
    },
    manifestLoadingStarted: () => {
      if (!session().hasBegun) sourceKnown();
      session().manifestRequested();
    },
    playbackStarted: () => {
      session().playRequested();
    },
    playbackPlaying: () => {
      session().core.playing();
    },
    playbackWaiting: () => {
      session().core.waiting();
    },
    playbackPaused: () => {
      session().core.paused();
    },
    playbackSeeking: () => {
      session().core.seeking(readBufferAhead(player));
    },
    playbackTimeUpdated: () => {
      const time = readPlayhead(player);
      if (time !== undefined) session().core.playhead(seconds(time), () => readBufferAhead(player));
    },
    streamTeardownComplete: () => {
      // Installing Sammy in dash.js 4.7 may attach the first source again; that does not end a session.
      if (session().hasBegun) sourceEnded();
    },
  });
}

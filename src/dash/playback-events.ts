import { seconds } from '../units.ts';
import { listenTo } from './listen-to.ts';
import { ask, type DashPlayer } from './player.ts';
import type { Session } from './session.ts';
import { bufferAheadOf } from './state.ts';

/** Does playback wait for the viewer, as far as the application has said by now? */
export const startsByHand = (player: DashPlayer): boolean => ask(() => player.getAutoPlay()) === false;

/**
 * Passes on to the session of the time what dash.js tells of playback. `sourceKnown` is called once a source, before
 * anything else is asked for; `sourceEnded` is to put the next session in its place. The returned function ends that.
 */
export function listenToPlayback(
  player: DashPlayer,
  session: () => Session,
  sourceKnown: () => void,
  sourceEnded: () => void,
): () => void {
  return listenTo(player, {
    manifestLoadingStarted: () => {
      if (!session().begun) sourceKnown();
      session().manifestRequested();
      if (startsByHand(player)) session().awaitViewer();
    },
    playbackNotAllowed: () => {
      session().awaitViewer();
    },
    playbackStarted: () => {
      session().started();
    },
    playbackPlaying: () => {
      session().sammy.playing();
    },
    playbackWaiting: () => {
      session().sammy.waiting();
    },
    playbackPaused: () => {
      session().sammy.paused();
    },
    playbackSeeking: () => {
      session().sammy.seeking(bufferAheadOf(player));
    },
    playbackTimeUpdated: () => {
      const time = ask(() => player.getVideoElement().currentTime);
      if (time !== undefined) session().sammy.playhead(seconds(time), bufferAheadOf(player));
    },
    streamTeardownComplete: () => {
      // dash.js 4.7 may attach the first source anew as Sammy comes.
      if (session().begun) sourceEnded();
    },
  });
}

import type { FragLoadedData, LevelLoadedData, MediaAttachingData } from 'hls.js';
import { readHeaders } from '../host/browser/response-headers.ts';
import { listenTo } from '../host/listen-to.ts';
import { followMedia } from '../host/media-element.ts';
import { NO_RESPONSE } from '../host/page-session.ts';
import type { HlsPlayer } from './player.ts';
import type { HlsAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';

/**
 * Forwards the events of hls.js and of its media element to the current session. A new source starts the next session.
 * Returns a function that stops listening.
 */
export function listenToPlayback(hls: HlsPlayer, attachment: HlsAttachment, takeover: Takeover): () => void {
  const listenToMedia = followMedia(attachment);
  const stopListening = listenTo(hls, {
    hlsMediaAttaching: (_: string, { media }: MediaAttachingData) => listenToMedia(media),
    hlsMediaDetaching: () => listenToMedia(null),
    hlsManifestLoading() {
      attachment.guarded(() => {
        if (attachment.currentSession.begun) takeover.sourceEnding();
        attachment.sourceEnded();
        takeover.refresh();
        attachment.currentSession.begin();
      });
    },
    // The same level may have another index now.
    hlsLevelsUpdated() {
      attachment.currentSession.lastLevel = -1;
      takeover.refresh();
    },
    hlsLevelLoaded(_: string, { networkDetails, stats, details: { url } }: LevelLoadedData) {
      const response = {
        size_bytes: stats.loaded,
        since: stats.loading.start,
        header: readHeaders(networkDetails),
      };
      attachment.guarded(() =>
        attachment.currentSession.requestEnded(
          { mediaType: 'playlist', url },
          { ...NO_RESPONSE, ...response },
        ),
      );
    },
    hlsFragLoading: () => takeover.fragmentRequested(),
    hlsFragLoaded(_: string, { frag: { type, sn, level } }: FragLoadedData) {
      if ((type as string) === 'main' && sn !== 'initSegment') takeover.levelLoaded(level);
    },
    hlsDestroying: () => attachment.detach(),
  });
  listenToMedia(hls.media);
  return () => {
    stopListening();
    listenToMedia(null);
  };
}

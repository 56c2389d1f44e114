import { listenTo } from '../host/listen-to.ts';
import { followMedia } from '../host/media-element.ts';
import { NO_RESPONSE } from '../host/page-session.ts';
import { readHeaders } from '../host/browser/response-headers.ts';
import type { HlsAttachment } from './session.ts';
import { findMediaType } from './levels.ts';
import type { Fragment, HlsPlayer, NetworkDetails } from './player.ts';
import type { Takeover } from './takeover.ts';

interface PlaylistLoaded {
  readonly networkDetails: NetworkDetails;
  readonly stats: { readonly loaded: number; readonly loading: { readonly start: number } };
  readonly details: { readonly url: string };
}

/**
 * Forwards the events of hls.js and of its media element to the current session. A new source starts the next session.
 * Returns a function that stops listening.
 */
export function listenToPlayback(hls: HlsPlayer, attachment: HlsAttachment, takeover: Takeover): () => void {
  const listenToMedia = followMedia(attachment);
  const stopListening = listenTo(hls, {
    hlsMediaAttaching: (_: string, { media }: { readonly media: HTMLMediaElement }) => listenToMedia(media),
    hlsMediaDetaching: () => listenToMedia(null),
    hlsManifestLoading() {
      attachment.guarded(() => {
        if (attachment.currentSession.begun) {
          takeover.sourceEnding();
          attachment.sourceEnded();
        }
        takeover.refresh();
        attachment.currentSession.begin();
      });
    },
    // The same level may have another index now.
    hlsLevelsUpdated() {
      attachment.currentSession.lastLevel = -1;
      takeover.refresh();
    },
    hlsLevelLoaded(_: string, { networkDetails, stats, details }: PlaylistLoaded) {
      const { loaded: size_bytes, loading } = stats;
      const request = { mediaType: 'playlist', url: details.url };
      const response = { size_bytes, since: loading.start, header: readHeaders(networkDetails) };
      attachment.guarded(() =>
        attachment.currentSession.requestEnded(request, { ...NO_RESPONSE, ...response }),
      );
    },
    hlsFragLoading: () => takeover.fragmentRequested(),
    hlsFragLoaded(_: string, { frag }: { readonly frag: Fragment }) {
      if (frag.type !== 'main' || frag.sn === 'initSegment' || !findMediaType(hls, frag)) return;
      attachment.currentSession.lastLevel = frag.level;
      takeover.levelLoaded(frag.level);
    },
    hlsDestroying: () => attachment.detach(),
  });
  listenToMedia(hls.media);
  return () => {
    stopListening();
    listenToMedia(null);
  };
}

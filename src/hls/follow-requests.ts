import type { HlsAttachment } from './session.ts';
import { findMediaType } from './levels.ts';
import type { Follow } from './loader.ts';
import type { HlsPlayer, LoaderStats, MediaRequest } from './player.ts';

/** Adds the pace to each segment's request, and cancels downloads without data and downloads that are too slow. */
export const followRequests =
  (hls: HlsPlayer, attachment: HlsAttachment): Follow =>
  (context, stats, giveUp) => {
    return attachment.guarded(() => {
      const { frag, part = null, url } = context;
      const mediaType = frag && findMediaType(hls, frag);
      if (!frag || !mediaType) return undefined;
      const { currentSession: session } = attachment;
      const request: MediaRequest = { mediaType, url, frag, part };
      const check = () => {
        const level = session.chooseReplacementLevel(request, stats());
        if (level !== undefined) switchDown(hls, request, stats(), level);
      };
      const { put } = session.requesting(request, { giveUp, check, receivedBytes: () => stats().loaded });
      return {
        put,
        end: (how) => attachment.guarded(() => session.requestEnded(request, how).repeats) ?? false,
      };
    });
  };

/** Restarts a download at another level, with the same steps as hls.js's own abandonment rule. */
function switchDown(hls: HlsPlayer, { frag, part }: MediaRequest, stats: LoaderStats, level: number): void {
  hls.nextLoadLevel = level;
  frag.abortRequests();
  hls.trigger('hlsFragLoadEmergencyAborted', { frag, part, stats });
}

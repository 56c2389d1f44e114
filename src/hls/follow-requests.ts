import { paceKeys, putRtp } from '../host/cmcd.ts';
import { PendingRequests } from '../host/pending-requests.ts';
import { watchDownload } from '../host/watch-download.ts';
import type { HlsAttachment } from './session.ts';
import { findLevelMediaType, findMediaType } from './levels.ts';
import type { Follow } from './loader.ts';
import type { Kbps } from '../units.ts';
import type { HlsPlayer, LoaderStats, MediaRequest } from './player.ts';

/** Asks for the pace of each segment, and gives up a download that does not come, or comes too slowly. */
export function followRequests(hls: HlsPlayer, attachment: HlsAttachment): Follow {
  const pending = new PendingRequests();
  return (context, stats, giveUp) => {
    if (!attachment.isAttached) return undefined;
    return attachment.guarded(() => {
      const { frag, part = null, url } = context;
      const mediaType = frag && findMediaType(hls, frag);
      if (!frag || !mediaType) return undefined;
      const { session } = attachment;
      const { core } = session;
      const request: MediaRequest = { mediaType, url, frag, part };
      // An initialization segment is 1 or 2 kB. Without an answer, nothing would give it up.
      const download = frag.sn === 'initSegment' ? undefined : session.requestedSegment(request);
      const pace = (download?.decision.requested_kbps ?? null) as Kbps | null;
      const sum = pending.add(request, url, pace);
      const { pacing, cmcd } = core.options;
      const keys = paceKeys(pace, sum);
      const estimate = core.choosesRungs ? core.estimate(findLevelMediaType(hls)) : undefined;
      const stop =
        download &&
        watchDownload(session, download, {
          ...{ giveUp, receivedBytes: () => stats().loaded },
          check: () =>
            attachment.guarded(() => {
              const level = session.chooseAbandonment(request, download, stats());
              if (level !== undefined) switchDown(hls, request, stats(), level);
            }),
        });
      return {
        put(carrier) {
          if (pacing) putRtp(carrier, keys, cmcd, estimate);
        },
        end(how) {
          stop?.();
          pending.remove(request);
          return (download && attachment.guarded(() => session.ended(download, how))) ?? false;
        },
      };
    });
  };
}

/** Downloads a segment again at another level, with the steps of hls.js's own abandonment rule. */
function switchDown(hls: HlsPlayer, { frag, part }: MediaRequest, stats: LoaderStats, level: number): void {
  hls.nextLoadLevel = level;
  frag.abortRequests();
  hls.trigger('hlsFragLoadEmergencyAborted', { frag, part, stats });
}

import { paceKeys, putRtp } from '../host/cmcd.ts';
import { UnderWay } from '../host/under-way.ts';
import type { Hooks } from './hooks.ts';
import { findLevelMediaType, findMediaType } from './levels.ts';
import type { Follow } from './loader.ts';
import type { Kbps } from '../units.ts';
import type { HlsPlayer, LoaderStats, MediaRequest } from './player.ts';
import type { Download, Session } from './session.ts';

/** Interval of the check how a download goes, ms. */
const CHECK_MS = 250;
/**
 * A check that runs later than this, ms, was delayed by a sleep, a debugger or a background tab. The response may have been
 * delayed too, so the wait starts again.
 */
const LATE_MS = 2 * CHECK_MS;

/** Asks for the pace of each segment, and gives up a download that does not come, or comes too slowly. */
export function followRequests(hls: HlsPlayer, hooks: Hooks): Follow {
  const underWay = new UnderWay();
  return (context, stats, giveUp) =>
    hooks.guarded(() => {
      const { frag, part = null, url } = context;
      const mediaType = frag && findMediaType(hls, frag);
      if (!frag || !mediaType) return undefined;
      const session = hooks.session();
      const { core } = session;
      const request: MediaRequest = { mediaType, url, frag, part };
      // An initialization segment is 1 or 2 kB. Without an answer, nothing would give it up.
      const download = frag.sn === 'initSegment' ? undefined : session.requested(request);
      const pace = (download?.decision.requested_kbps ?? null) as Kbps | null;
      const sum = underWay.begin(request, url, pace);
      const { pacing, cmcd } = core.options;
      const keys = paceKeys(pace, sum);
      const estimate = core.choosesRungs ? core.estimate(findLevelMediaType(hls)) : undefined;
      const stop =
        download &&
        watch(session, download, stats, giveUp, (level) =>
          hooks.guarded(() => {
            switchDown(hls, request, stats(), level);
          }),
        );
      return {
        put(carrier) {
          if (pacing) putRtp(carrier, keys, cmcd, estimate);
        },
        end(how) {
          stop?.();
          underWay.end(request);
          return (download && hooks.guarded(() => session.ended(download, how))) ?? false;
        },
      };
    });
}

/**
 * Checks a download until the returned function is called: one that asks for a pace and brings nothing for a while is given up,
 * and one that is too slow for the buffer is abandoned for another level.
 */
function watch(
  session: Session,
  download: Download,
  stats: () => LoaderStats,
  giveUp: () => void,
  abandon: (level: number) => void,
): () => void {
  let [seen_bytes, since, checked] = [0, performance.now(), performance.now()];
  const timer = setInterval(() => {
    const now = performance.now();
    const { loaded } = stats();
    if (loaded !== seen_bytes || now > checked + LATE_MS) [seen_bytes, since] = [loaded, now];
    checked = now;
    if (session.hasEnded) clearInterval(timer);
    else if (now - since >= session.patience(download, loaded > 0)) giveUp();
    else {
      const level = session.chooseAbandonment(download, stats());
      if (level !== undefined) abandon(level);
    }
  }, CHECK_MS);
  return () => {
    clearInterval(timer);
  };
}

/** Downloads a segment again at another level, as hls.js's own rule does. */
function switchDown(hls: HlsPlayer, { frag, part }: MediaRequest, stats: LoaderStats, level: number): void {
  hls.nextLoadLevel = level;
  frag.abortRequests();
  hls.trigger('hlsFragLoadEmergencyAborted', { frag, part, stats });
}

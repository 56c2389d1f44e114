import type { Download, PageSession } from './page-session.ts';

/** Interval of the check how a download goes, ms. */
const CHECK_MS = 250;
/**
 * A check that runs later than this, ms, was delayed by a sleep, a debugger or a background tab. The response may have been
 * delayed too, so the wait starts again.
 */
const LATE_MS = 2 * CHECK_MS;

export interface WatchActions {
  /** Returns the number of bytes that have arrived. */
  readonly receivedBytes: () => number;
  /** Ends a download that asks for a pace and brings nothing for a while. */
  readonly giveUp: () => void;
  /** Called with each check: a download may be too slow for the buffer. */
  readonly check: () => void;
}

/** Checks a download until the returned function is called or the session has ended. */
export function watchDownload(
  session: PageSession,
  download: Download,
  { receivedBytes, giveUp, check }: WatchActions,
): () => void {
  let seen_bytes = 0;
  let since = performance.now();
  let checked = since;
  const timer = setInterval(() => {
    const now = performance.now();
    const received_bytes = receivedBytes();
    if (received_bytes !== seen_bytes || now > checked + LATE_MS) [seen_bytes, since] = [received_bytes, now];
    checked = now;
    if (session.hasEnded) clearInterval(timer);
    else if (now - since >= session.patience(download, received_bytes > 0)) giveUp();
    else check();
  }, CHECK_MS);
  return () => {
    clearInterval(timer);
  };
}

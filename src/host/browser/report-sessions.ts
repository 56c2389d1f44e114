import type { Arm } from '../../experiment/experiment.ts';
import type { SammyHandle } from '../handle.ts';

/** The reporting interval. If the page ends without `pagehide`, the events since the last report are lost. */
const EVERY_MS = 60_000;

export interface ReportOptions {
  /** The edge's URL for beacons: `https://EDGE/.sammy/v1/sessions`. */
  readonly url: string;
  /** The unit of assignment: the `sid` of the player's CMCD. */
  readonly unit: string;
  /** The player's arm, as reported by the edge. */
  readonly arm?: Arm | null;
}

/**
 * Reports the sessions of a player to the edge: at the start, so that viewers who leave early are counted, then every
 * minute, and when the session ends or the page is hidden. Needs the option `summary: sessionSummary`. Returns a
 * function that stops the reports.
 */
export function reportSessions(
  sammy: Pick<SammyHandle, 'summary' | 'on'>,
  { url, unit, arm = null }: ReportOptions,
): () => void {
  let session = begin();
  const report = (final: boolean, metrics: object = sammy.summary ?? {}) => {
    const { session_id, sequence, began } = session;
    session.sequence += 1;
    const elapsed_s = (performance.now() - began) / 1000;
    const beacon = { version: 1, session_id, unit, sequence, elapsed_s, final, arm, metrics };
    // Send a string, because other bodies need a CORS preflight, for which a closing page has no time.
    navigator.sendBeacon(url, JSON.stringify(beacon));
  };
  const hidden = () => report(true);
  const timer = setInterval(() => report(false), EVERY_MS);
  addEventListener('pagehide', hidden);
  const forget = sammy.on('summary', (summary) => {
    report(true, summary);
    session = begin();
  });
  report(false);
  return () => {
    clearInterval(timer);
    removeEventListener('pagehide', hidden);
    forget();
  };
}

/** Creates the state of a new session's reports. The id is random, so that nobody else can report under the same id. */
const begin = () => ({ session_id: crypto.randomUUID(), sequence: 0, began: performance.now() });

import type { TunedArm } from '../../arms/tuned.ts';
import { findFlights } from '../../records/measurements.ts';
import { findNetworkError, type Play, type Played } from '../../records/play.ts';
import { TODAY_MS, type SimulatedResult } from '../../model/simulated-session.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { asChromium } from './as-chromium.ts';
import { openLabPage } from '../lab/lab-page.ts';
import { VirtualLink, type LinkOptions } from './virtual-link.ts';

/** A session of the lab, with the name of its arm, which the page resolves. */
export interface PageSession extends LinkOptions, Pick<Play, 'arm' | 'sammy' | 'seconds'> {
  /** The arm, if it is not in the lab's list. */
  readonly tuned?: TunedArm | undefined;
  readonly buffer_s?: number | undefined;
  readonly history?: readonly number[] | undefined;
}

const ORIGIN = 'http://film.example';
/** The time after a session's end at which a page that has not reported its result counts as stuck. */
const PATIENCE_MS = 10_000;

/**
 * Plays one session with dash.js itself, in virtual time. Throws an Error of one line if the page fails, or if the
 * player reports an error that the network has not caused.
 */
export function playPage(session: PageSession): SimulatedResult {
  const { film, seconds, seed = 1, arm, tuned, sammy, buffer_s, history } = session;
  const link = new VirtualLink(session);
  const { clock, wire, neighbor } = link;
  const play: Play = {
    ...{ arm, sammy, seconds, ...(tuned && { tuned }) },
    ...(buffer_s !== undefined && { buffer_s }),
    ...(history && { history }),
    manifest: `${ORIGIN}/manifest.mpd`,
    // A data URL, because the sidecar is fetched before the session, so its bytes are not on the link.
    sidecar: `data:application/json,${encodeURIComponent(JSON.stringify(film.sidecar))}`,
  };
  let result: Played | Error | undefined;
  openLabPage(
    {
      ...{ clock, wire, url: `${ORIGIN}/`, opened_ms: TODAY_MS, random: seededRandom(seed) },
      busyWith: asChromium(film),
    },
    play,
    {
      playing: () => link.playbackStarted(),
      played: (played) => (result = played),
      failed: (error) => (result = error),
    },
  );
  link.run(() => result !== undefined, seconds * 1000 + PATIENCE_MS);
  const played = result as unknown as Played | Error;
  if (played instanceof Error) throw played;
  const player_error = findNetworkError(played);
  const { requestedAt_ms, playingAt_ms, summary, decisions, buffer, playback } = played;
  return {
    ...{ summary, decisions, buffer, playback, history: played.history },
    unpaced: [],
    ...(player_error !== undefined && { player_error }),
    playingAt_ms: playingAt_ms === null ? null : playingAt_ms - requestedAt_ms,
    ...(neighbor && { neighbor: neighbor.result({ seconds, flights: findFlights(decisions) }) }),
  };
}

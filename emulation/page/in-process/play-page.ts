import type { Phase } from '../../../src/decision.ts';
import type { TunedArm } from '../../arms/tuned.ts';
import { flightsOf } from '../../session/measurements.ts';
import type { Play, Played } from '../../session/play.ts';
import { simulatedNeighbour } from '../../simulator/neighbours/index.ts';
import type { SimulatedNeighbour } from '../../simulator/neighbours/neighbour.ts';
import type { SimulatedResult, SimulatedSession } from '../../simulator/simulated-session.ts';
import { seededRandom } from '../../statistics/random.ts';
import { Bottleneck } from '../../virtual/rounds/bottleneck.ts';
import { congestionControlNamed } from '../../virtual/rounds/congestion/index.ts';
import type { Batch } from '../../virtual/rounds/connection.ts';
import { ConnectionPool } from '../../virtual/rounds/pool.ts';
import { VirtualClock } from '../clocks/virtual-clock.ts';
import { openPage } from '../open-page.ts';
import { FilmServer } from './film-server.ts';
import { RoundsWire } from './rounds-wire.ts';
import { labScript, packaged } from './scripts.ts';

/** A session of the lab, by the name of its arm: the page knows them. */
export interface PageSession
  extends
    Omit<SimulatedSession, 'arm' | 'forks' | 'seeks' | 'playbackRate' | 'liveDelay_s'>,
    Pick<Play, 'arm' | 'sammy'> {
  /** The arm, where it is not in the lab's list. */
  readonly tuned?: TunedArm | undefined;
}

const ORIGIN = 'http://film.example';
/** The day on which all simulated sessions are played, ms since 1970. */
const TODAY_MS = 1_700_000_000_000;
/** From the arrival of the data that the media element waits for until its frame is shown. */
const FRAME_MS = 7;
/** The page itself and the sidecar were fetched before over one connection, whose window has grown. */
const OPEN_AT_FIRST = 1;
/** A session that has not ended so long after it should have will not end. */
const PATIENCE_MS = 10_000;

const BEGIN = `lab.play(JSON.parse(asked)).then(
  (played) => finished(JSON.stringify(played)),
  (error) => failed(error),
);`;

/** Plays one session with dash.js itself, in virtual time. Throws an Error of one line where the page fails. */
export function playPage(session: PageSession): SimulatedResult {
  const { network, film, seconds, seed = 1, observe, neighbour: beside, observeNeighbour } = session;
  const { capacity, rtt_ms, queue_bytes, loss = 0, congestionControl = 'reno' } = network;
  const clock = new VirtualClock();
  const control = congestionControlNamed(congestionControl);
  const link = {
    bottleneck: new Bottleneck(capacity, queue_bytes),
    base_ms: rtt_ms,
    loss,
    random: seededRandom(seed),
  };
  const noted = observe && ((batch: Batch) => observe(batch, wire.phaseOf(batch.connection)));
  const pool = new ConnectionPool({ ...link, observe: noted }, control, OPEN_AT_FIRST);
  let phase: Phase = 'initial';
  const wire = new RoundsWire({
    ...{ clock, pool, server: new FilmServer(film), congestionControl, rtt_ms },
    phase: () => phase,
  });
  const neighbour =
    beside === undefined
      ? undefined
      : simulatedNeighbour(beside)({ ...link, observe: observeNeighbour }, control);

  let [finished, failed] = [undefined as string | undefined, undefined as unknown];
  const { arm, tuned, sammy, buffer_s, history } = session;
  const play: Play = {
    ...{ arm, sammy, seconds, ...(tuned && { tuned }) },
    ...(buffer_s !== undefined && { buffer_s }),
    ...(history && { history }),
    manifest: `${ORIGIN}/manifest.mpd`,
    sidecar: `data:application/json,${encodeURIComponent(JSON.stringify(film.sidecar))}`,
  };
  const page = openPage({
    ...{ clock, wire, url: `${ORIGIN}/`, opened_ms: TODAY_MS },
    random: seededRandom(seed),
    media: { frame_ms: FRAME_MS },
    globals: {
      require: () => page.window.dashjs,
      asked: JSON.stringify(play),
      finished: (played: string) => void (finished = played),
      failed: (error: unknown) => void (failed = error),
      labPlaying: () => {
        phase = 'playing';
        neighbour?.playing(clock.now_ms);
      },
    },
  });
  page.document.body.appendChild(page.document.createElement('video'));
  for (const { code, filename } of [packaged('dashjs'), labScript(), { code: BEGIN, filename: 'begin.js' }])
    page.load(code, filename);

  while (finished === undefined && failed === undefined)
    happen(clock, pool, wire, neighbour, seconds * 1000 + PATIENCE_MS);
  if (finished === undefined) throw new Error(`the page failed: ${String(failed)}`);
  return resultOf(JSON.parse(finished) as Played, neighbour, seconds);
}

/** One event, of the page, of a sender or of the neighbour. */
function happen(
  clock: VirtualClock,
  pool: ConnectionPool,
  wire: RoundsWire,
  neighbour: SimulatedNeighbour | undefined,
  latest_ms: number,
): void {
  const sender = pool.next;
  const sender_ms = sender?.next_ms ?? Infinity;
  const neighbour_ms = neighbour?.next_ms ?? Infinity;
  const page_ms = clock.next_ms;
  const next_ms = Math.min(sender_ms, neighbour_ms, page_ms);
  if (!(next_ms <= latest_ms)) throw new Error('the page does not end its session');
  if (neighbour && neighbour_ms < sender_ms && neighbour_ms <= page_ms) neighbour.send();
  else if (sender && sender_ms <= page_ms) {
    sender.sendBatch();
    wire.sent(sender);
  } else clock.step();
}

function resultOf(
  { requestedAt_ms, playingAt_ms, summary, decisions, buffer, playback, history }: Played,
  neighbour: SimulatedNeighbour | undefined,
  seconds: number,
): SimulatedResult {
  return {
    ...{ summary, decisions, buffer, playback, history },
    unpaced: [],
    playingAt_ms: playingAt_ms === null ? null : playingAt_ms - requestedAt_ms,
    ...(neighbour && { neighbour: neighbour.result({ seconds, flights: flightsOf(decisions) }) }),
  };
}

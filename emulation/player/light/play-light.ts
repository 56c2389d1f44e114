import { setTimeout as sleep } from 'node:timers/promises';
import type { QualitySidecar } from '../../../media/sidecar.ts';
import { readSidecar } from '../../../src/film/sidecar.ts';
import { armNamed } from '../arms/index.ts';
import { armFromTuned } from '../arms/tuned.ts';
import type { Play, Played } from '../records/play.ts';
import { readLadders } from '../model/player/read-ladders.ts';
import { INITIALIZATION_MS, MANIFEST_MS, Player } from '../model/player/player.ts';
import { readSettings } from '../model/player/settings.ts';
import type { PlayedSession } from '../model/simulated-session.ts';
import { fetchJson, persistentAgent, KernelWire } from './kernel-wire.ts';
import { WakeSignal } from './wake-signal.ts';
import { leavingTime_s, type ViewerPlan } from './patience.ts';
import { summarizeStalls } from './summarize-stalls.ts';

/** The longest interval between two reports of the playhead position to the plug-in, as in a browser (`timeupdate`). */
const LONGEST_WAIT_MS = 250;

/**
 * Plays a session of the lab with a viewer without a browser, as `window.lab.play` does in a browser's page.
 */
export async function playLight(play: Play, onPlaying: () => void): Promise<Played> {
  const arm = play.tuned ? armFromTuned(play.tuned) : armNamed(play.arm);
  // Fetched before the session, as the page does, so that a connection is open and its congestion window has grown.
  const agent = persistentAgent();
  const document = await fetchJson(agent, play.sidecar);
  const film = { sidecar: readSidecar(document), ladders: readLadders(document as QualitySidecar) };
  const { seconds, buffer_s, history } = play;
  const session = {
    arm: { ...arm, sammy: { ...arm.sammy, ...play.sammy } },
    film,
    seconds,
    buffer_s,
    history,
  };
  return playSession(session, play.manifest, onPlaying, agent);
}

/** A session whose viewer may leave before `seconds` are over. */
type LightSession = PlayedSession & Partial<Pick<ViewerPlan, 'patience' | 'rank'>>;

/**
 * Plays one session without a browser: uses the plug-in's core and the simulator's model of dash.js and its media
 * element, but in real time and with real requests. Nothing is decoded, so that dozens of sessions can share a
 * processor. Throws an Error of one line when a request fails. `onPlaying` is called once, when playback begins. The
 * connections of `agent` are closed at the end.
 */
export async function playSession(
  session: LightSession,
  manifest: string,
  onPlaying: () => void = () => undefined,
  agent = persistentAgent(),
): Promise<Played> {
  const wakeSignal = new WakeSignal();
  const requestedAt_ms = Date.now();
  const since = performance.now();
  const now_ms = () => performance.now() - since;
  const wire = new KernelWire({
    agent,
    videoFolder: new URL('.', manifest),
    byPlugin: readSettings(session, 0).rtpSafetyFactor === undefined,
    now_ms,
    onEnd: () => wakeSignal.wake(),
    onError: (error) => wakeSignal.fail(error),
  });
  const player = new Player(session, wire, requestedAt_ms);
  const intent: ViewerPlan = {
    watch_s: session.seconds,
    patience: session.patience,
    rank: session.rank ?? 0,
  };
  const leaves_ms = () => 1000 * leavingTime_s(intent, summarizeStalls(player.playback));
  let isPlaying = false;
  const over = new AbortController();
  const startTrack = async (representation: string) => {
    player.recordReceipt(await wire.fetchFile(`${representation}/init.mp4`));
    player.beginTrack(representation, now_ms() + INITIALIZATION_MS);
    wakeSignal.wake();
  };
  const start = async () => {
    await wire.fetchFile('manifest.mpd');
    await sleep(MANIFEST_MS, undefined, { signal: over.signal });
    await Promise.all(player.representations.map(startTrack));
  };
  try {
    player.request();
    // Not awaited, because the viewer may leave before there is anything to play.
    start().catch((error: unknown) =>
      wakeSignal.fail(error instanceof Error ? error : new Error(String(error))),
    );
    for (let left_ms = leaves_ms() - now_ms(); left_ms > 0; left_ms = leaves_ms() - now_ms()) {
      // Events are run at the time at which this loop notices them, as in a real player.
      while (player.next_ms <= now_ms()) player.runNextEvent(now_ms());
      player.moveTo(now_ms());
      if (!isPlaying && player.playingAt_ms !== null) {
        isPlaying = true;
        onPlaying();
      }
      await wakeSignal.wait(Math.min(LONGEST_WAIT_MS, left_ms, player.next_ms - now_ms()));
    }
  } finally {
    over.abort();
    wire.close();
  }
  const { playingAt_ms, ...played } = player.end(Math.min(1000 * session.seconds, now_ms()));
  return {
    ...played,
    requestedAt_ms,
    playingAt_ms: playingAt_ms === null ? null : requestedAt_ms + playingAt_ms,
    warnings: [],
    errors: [],
  };
}

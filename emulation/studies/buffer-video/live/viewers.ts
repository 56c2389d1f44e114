import { readFileSync } from 'node:fs';
import { armNamed } from '../../../player/arms/index.ts';
import { PATIENCES } from '../../../player/light/patience.ts';
import { playSession } from '../../../player/light/play-light.ts';
import { nominalFilm } from '../../world/tcp/nominal-film.ts';
import { serveViewers, type AllLeft, type SessionEnd } from '../../world/tcp/serve-viewers.ts';
import { FILM } from '../demand.ts';
import { watchedResult, type WatchedResult } from '../session-result.ts';
import type { Server } from '../sites.ts';
import { BUFFERED_S, VIEWERS_PATIENCE } from '../viewers/visit.ts';

/** The sessions that the viewers of a stack play in an hour, read from a JSON file. */
export interface ViewersTask {
  readonly manifests: Readonly<Record<Server, string>>;
  readonly arm: string;
  readonly end_s: number;
  readonly sessions: readonly PlannedViewing[];
}

export interface PlannedViewing {
  readonly server: Server;
  readonly at_s: number;
  readonly stays_s: number;
  readonly rank: number;
}

interface ViewerMeasurements {
  readonly watched: WatchedResult;
  /** The lowest RTT in the edge's receipts; null if no receipt has an RTT. */
  readonly min_rtt_ms: number | null;
  /** The names of the viewer's connections at the edge. */
  readonly connections: readonly string[];
}
export type Ending = SessionEnd<ViewerMeasurements>;
export type ViewersLeft = AllLeft<ViewerMeasurements>;

const { manifests, arm, end_s, sessions } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as ViewersTask;
const film = nominalFilm(FILM, end_s + BUFFERED_S);

serveViewers<PlannedViewing, ViewerMeasurements>(sessions, async ({ server, stays_s, rank }) => {
  const viewer = { seconds: stays_s, rank, patience: PATIENCES[VIEWERS_PATIENCE] };
  const played = await playSession({ arm: armNamed(arm), film, ...viewer }, manifests[server]);
  const rtts_ms = played.decisions.flatMap(({ min_rtt_ms }) => min_rtt_ms ?? []);
  return {
    watched: watchedResult(played),
    min_rtt_ms: rtts_ms.length === 0 ? null : Math.min(...rtts_ms),
    connections: [...new Set(played.decisions.flatMap(({ connection }) => connection ?? []))],
  };
});

import { readFileSync } from 'node:fs';
import { PATIENCES } from '../../../player/light/patience.ts';
import { playSession } from '../../../player/light/play-light.ts';
import type { World } from '../demand.ts';
import { nominalFilm } from './nominal-film.ts';
import type { PlannedSession } from './real-time.ts';
import type { ViewerRecord } from './make-rows.ts';
import { serveViewers, type AllLeft } from './serve-viewers.ts';
import { tcpMetrics } from './tcp-metrics.ts';

/** The videos and sessions of a link's viewers, read from a JSON file. */
export interface ViewersTask {
  readonly manifest: string;
  readonly world: World;
  readonly sessions: readonly PlannedSession[];
}

export type ViewersLeft = AllLeft<ViewerRecord>;

const { manifest, world, sessions } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ViewersTask;
const patience = PATIENCES[world.patience ?? 'endless'];
const longest_s = Math.max(0, ...sessions.map(({ seconds }) => seconds));
const film = nominalFilm(world, longest_s + world.buffer_s + world.segment_s);

serveViewers<PlannedSession, ViewerRecord>(sessions, async ({ seconds, rank, options }) => {
  const session = { arm: { sammy: options }, film, seconds, buffer_s: world.buffer_s, patience, rank };
  return { metrics: tcpMetrics(await playSession(session, manifest)) };
});

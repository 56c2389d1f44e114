import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lineOf } from '../../../../system/line-of.ts';
import { joinLab } from '../../../ground/programs/join-lab.ts';
import { PATIENCES } from '../../../player/light/patience.ts';
import { playSession } from '../../../player/light/play-light.ts';
import type { World } from '../demand.ts';
import { nominalFilm } from './nominal-film.ts';
import type { PlannedSession } from './real-time.ts';
import type { Ending } from './rows-of.ts';
import { tcpMetrics } from './tcp-metrics.ts';

/** What the viewers of a link are told, as a JSON file. */
export interface ViewersTask {
  readonly manifest: string;
  readonly world: World;
  readonly sessions: readonly PlannedSession[];
}

/** The answer when all have left: in the order of the sessions. */
export interface ViewersLeft {
  readonly type: 'left';
  readonly endings: readonly Ending[];
}

/** All viewers of a link in one process: each comes when it is due from 'begin' on, and leaves after its time. */
const { manifest, world, sessions } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as ViewersTask;
const patience = PATIENCES[world.patience ?? 'endless'];
const longest_s = Math.max(0, ...sessions.map(({ seconds }) => seconds));
const film = nominalFilm(world, longest_s + world.buffer_s + world.segment_s);

async function view({ at_s, seconds, rank, options }: PlannedSession, began_ms: number): Promise<Ending> {
  await sleep(Math.max(0, began_ms + 1000 * at_s - performance.now()));
  try {
    const session = { arm: { sammy: options }, film, seconds, buffer_s: world.buffer_s, patience, rank };
    return { metrics: tcpMetrics(await playSession(session, manifest)) };
  } catch (error) {
    return { failure: lineOf(error) };
  }
}

const say = joinLab(() => {
  const began_ms = performance.now();
  void Promise.all(sessions.map((session) => view(session, began_ms))).then((endings) =>
    say({ type: 'left', endings } satisfies ViewersLeft),
  );
});

say({ type: 'ready' });

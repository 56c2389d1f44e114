import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lineOf } from '../../../../system/line-of.ts';
import { joinLab } from '../../../ground/programs/join-lab.ts';
import { armNamed } from '../../../player/arms/index.ts';
import { PATIENCES } from '../../../player/light/patience.ts';
import { playSession } from '../../../player/light/play-light.ts';
import { nominalFilm } from '../../world/tcp/nominal-film.ts';
import { FILM } from '../demand.ts';
import { watchedResult, type WatchedResult } from '../session-result.ts';
import type { Server } from '../sites.ts';
import { BUFFERED_S, VIEWERS_PATIENCE } from '../viewers/visit.ts';

/** What the viewers of a stack's hour are told, as a JSON file. */
export interface ViewersTask {
  readonly manifests: Readonly<Record<Server, string>>;
  readonly arm: string;
  readonly end_s: number;
  readonly sessions: readonly ComingSession[];
}

export interface ComingSession {
  readonly server: Server;
  readonly at_s: number;
  readonly stays_s: number;
  readonly rank: number;
}

/** What became of a session, as its viewer has seen it. */
export type Ending =
  | {
      readonly watched: WatchedResult;
      /** The least that the edge's kernel told; null where it told nothing. */
      readonly min_rtt_ms: number | null;
      /** Names of its connections, as the edge has them. */
      readonly connections: readonly string[];
    }
  | { readonly failure: string };

/** The answer when all have left: in the order of the sessions. */
export interface ViewersLeft {
  readonly type: 'left';
  readonly endings: readonly Ending[];
}

/** All viewers of a stack's hour in one process: each comes when it is due from 'begin' on, and leaves after its time. */
const { manifests, arm, end_s, sessions } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as ViewersTask;
const film = nominalFilm(FILM, end_s + BUFFERED_S);

async function view({ server, at_s, stays_s, rank }: ComingSession, began_ms: number): Promise<Ending> {
  await sleep(Math.max(0, began_ms + 1000 * at_s - performance.now()));
  try {
    const viewer = { seconds: stays_s, rank, patience: PATIENCES[VIEWERS_PATIENCE] };
    const played = await playSession({ arm: armNamed(arm), film, ...viewer }, manifests[server]);
    const rtts_ms = played.decisions.flatMap(({ min_rtt_ms }) => min_rtt_ms ?? []);
    return {
      watched: watchedResult(played),
      min_rtt_ms: rtts_ms.length === 0 ? null : Math.min(...rtts_ms),
      connections: [...new Set(played.decisions.flatMap(({ connection }) => connection ?? []))],
    };
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

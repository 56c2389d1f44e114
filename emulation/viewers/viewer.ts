import { joinLab } from '../programs/join-lab.ts';
import type { Play, Played } from '../sessions/play.ts';
import { playLight } from './play-light.ts';

/** The viewer's answer when the session is over. */
export interface PlayedSession {
  readonly type: 'played';
  readonly played: Played;
}

/** Plays one session, from 'begin' on. */
const play = JSON.parse(process.argv[2] ?? '{}') as Play;

const say = joinLab(() => {
  void playLight(play, () => say({ type: 'playing' })).then((played) =>
    say({ type: 'played', played } satisfies PlayedSession),
  );
});

say({ type: 'ready' });

import { joinLab } from '../../ground/programs/join-lab.ts';
import type { Play, Played } from '../records/play.ts';
import { playLight } from './play-light.ts';

/** The message from the viewer when the session is over. */
export interface PlayedSession {
  readonly type: 'played';
  readonly played: Played;
}

/** The message that tells the viewer to play a session. */
export interface BeginSession {
  readonly type: 'begin';
  readonly play: Play;
}

/** Plays a session on request. */
const say = joinLab((message) => {
  const { play } = message as object as BeginSession;
  void playLight(play, () => say({ type: 'playing' })).then((played) =>
    say({ type: 'played', played } satisfies PlayedSession),
  );
});

say({ type: 'ready' });

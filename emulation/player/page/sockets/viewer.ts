import { joinLab } from '../../../ground/programs/join-lab.ts';
import type { BeginSession, PlayedSession } from '../../light/viewer.ts';
import { openRealPage } from './open-real-page.ts';

/** Plays a session on request with dash.js itself, over sockets and in real time. */
const say = joinLab((message) => {
  openRealPage((message as object as BeginSession).play, {
    playing: () => say({ type: 'playing' }),
    played: (played) => say({ type: 'played', played } satisfies PlayedSession),
  });
});

say({ type: 'ready' });

import { joinLab } from '../../../ground/programs/join-lab.ts';
import { keptConnections } from '../../viewers/kernel-wire.ts';
import type { BeginSession, PlayedSession } from '../../viewers/viewer.ts';
import { RealClock } from '../clocks/real-clock.ts';
import { openLabPage } from '../lab/lab-page.ts';
import { HttpWire } from './http-wire.ts';

/** Plays a session with dash.js itself, over sockets and in real time, when it is told to. */
const say = joinLab((message) => {
  const { play } = message as object as BeginSession;
  openLabPage(
    {
      clock: new RealClock(),
      wire: new HttpWire(keptConnections()),
      url: new URL('/', play.manifest).href,
      opened_ms: Date.now(),
      random: Math.random,
    },
    play,
    {
      playing: () => say({ type: 'playing' }),
      played: (played) => say({ type: 'played', played } satisfies PlayedSession),
      // It ends the program, which the lab hears of.
      failed: (error) => {
        throw error;
      },
    },
  );
});

say({ type: 'ready' });

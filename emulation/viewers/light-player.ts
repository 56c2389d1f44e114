import { intoNetworkOf } from '../links/shell.ts';
import { startLabProgram } from '../programs/program.ts';
import type { Play } from '../sessions/play.ts';
import type { SessionPlayer } from '../sessions/session-player.ts';
import type { PlayedSession } from './viewer.ts';

const READY_WITHIN_S = 60;

/** A light viewer in the network of process `pid`. */
export function lightPlayer(pid: number): SessionPlayer {
  const running = new Set<{ stop(): Promise<void> }>();
  return {
    async play(play: Play, within_s: number, onPlaying: () => unknown) {
      const viewer = startLabProgram(intoNetworkOf(pid), new URL('viewer.ts', import.meta.url), [
        JSON.stringify(play),
      ]);
      running.add(viewer);
      await viewer.expect('ready', READY_WITHIN_S);
      viewer.send({ type: 'begin' });
      void viewer.expect('playing', within_s).then(onPlaying, () => undefined);
      const { played } = await viewer.expect<PlayedSession>('played', within_s);
      return played;
    },
    close: () => Promise.all([...running].map((viewer) => viewer.stop())),
  };
}

import { enterNetwork } from '../../network/links/shell.ts';
import { startLabProgram } from '../../ground/programs/program.ts';
import type { Play, SessionPlayer } from '../records/play.ts';
import type { BeginSession, PlayedSession } from './viewer.ts';

const READY_WITHIN_S = 60;

/** A player without a browser, and the program that it is. */
const PROGRAMS = {
  light: new URL('viewer.ts', import.meta.url),
  page: new URL('../page/sockets/viewer.ts', import.meta.url),
} as const;

/** Such a viewer in the network of process `pid`, which is there, as a browser's page is, before its session begins. */
export async function lightPlayer(pid: number, kind: keyof typeof PROGRAMS): Promise<SessionPlayer> {
  const viewer = startLabProgram(enterNetwork(pid), PROGRAMS[kind]);
  try {
    await viewer.expect('ready', READY_WITHIN_S);
  } catch (error) {
    await viewer.stop();
    throw error;
  }
  return {
    async play(play: Play, within_s: number, onPlaying: () => unknown) {
      const begin: BeginSession = { type: 'begin', play };
      viewer.send(begin);
      void viewer.expect('playing', within_s).then(onPlaying, () => undefined);
      const { played } = await viewer.expect<PlayedSession>('played', within_s);
      return played;
    },
    close: () => viewer.stop(),
  };
}

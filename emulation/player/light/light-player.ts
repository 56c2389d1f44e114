import { enterNetwork } from '../../network/links/shell.ts';
import { startLabProgram } from '../../ground/programs/program.ts';
import type { Play, SessionPlayer } from '../records/play.ts';
import type { BeginSession, PlayedSession } from './viewer.ts';

const READY_WITHIN_S = 60;

/** The programs of the players without a browser. */
const PROGRAMS = {
  light: new URL('viewer.ts', import.meta.url),
  page: new URL('../page/sockets/viewer.ts', import.meta.url),
} as const;

/**
 * Starts a viewer without a browser in the network namespace of process `pid`. Like a browser's page, it is loaded
 * before its session begins.
 */
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

import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureDebianPackages, findDebianPackages } from '../../system/debian-packages.ts';
import type { OnProgress } from '../../system/progress.ts';

/** HAProxy 3.0 of Debian 13. Version 2.6 of Debian 12 has no bandwidth limits. */
const TRIXIE = { release: 'trixie', programs: ['haproxy'], files: [] } as const;
const PROGRAM = 'usr/sbin/haproxy';
const CONFIGURATION = fileURLToPath(new URL('haproxy.cfg', import.meta.url));

/** Returns the command if HAProxy was downloaded earlier. For tests, which download nothing. */
export const findHaproxy = (): readonly string[] | undefined => findDebianPackages(TRIXIE)?.command(PROGRAM);

/** Downloads HAProxy. Throws an Error if that fails. */
export const ensureHaproxy = async (onProgress: OnProgress): Promise<readonly string[]> =>
  (await ensureDebianPackages(TRIXIE, onProgress)).command(PROGRAM);

/** Runs HAProxy with `haproxy.cfg` on a port of an address, in front of an origin given as HOST:PORT. */
export function startHaproxy(
  [program = '', ...args]: readonly string[],
  port: number,
  origin: string,
  address = '127.0.0.1',
): ChildProcess {
  return spawn(program, [...args, '-f', CONFIGURATION], {
    env: { ...process.env, ADDRESS: address, PORT: String(port), ORIGIN: origin },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { linkFolder } from '../../links/stale.ts';

/** A program of a scheme, in a network namespace and an empty folder of its own. */
export interface SchemeProgram {
  /** How the program ended by itself, in one line; undefined while the program runs. */
  ended(): string | undefined;
  /**
   * Resolves when the program listens on the port, by TCP or UDP. Throws an Error of one line if the program ends
   * first, or takes too long.
   */
  listens(port: number, within_s: number): Promise<void>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 20;
const KEPT_CHARACTERS = 2000;

/** Starts a program of a scheme. It ends with this process, however this process ends. */
export async function startSchemeProgram(
  namespace: string,
  words: readonly string[],
): Promise<SchemeProgram> {
  const folder = await mkdtemp(linkFolder());
  const enter = ['nsenter', `--net=/run/netns/${namespace}`, '--', 'setpriv', '--pdeathsig', 'KILL', '--'];
  const [program = '', ...args] = [...enter, ...words];
  // A process group of its own, so that the program's children end with it too.
  const child = spawn(program, args, { cwd: folder, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-KEPT_CHARACTERS);
    });
  const lastLine = (): string => said.trim().split('\n').at(-1)?.trim() ?? '';
  let ending: string | undefined;
  const exited = once(child, 'exit').then(
    ([status, signal]: (number | string | null)[]) => {
      const how = signal ? `by ${signal}` : `with status ${status ?? 'unknown'}`;
      ending = lastLine() === '' ? how : `${how}: ${lastLine()}`;
    },
    (error: unknown) => {
      ending = error instanceof Error ? error.message : String(error);
    },
  );
  return {
    ended: () => ending,
    async listens(port, within_s) {
      const deadline = performance.now() + within_s * 1000;
      while (!isListening(child.pid, port)) {
        if (ending !== undefined) throw new Error(`ended ${ending}`);
        if (performance.now() > deadline) throw new Error(`did not listen within ${within_s} s`);
        await sleep(LOOK_EVERY_MS);
      }
    },
    async close() {
      if (child.pid !== undefined) {
        try {
          process.kill(-child.pid, 'SIGKILL');
        } catch {
          // The process has ended.
        }
      }
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The state of a listening TCP socket, and of any UDP socket without a peer: include/net/tcp_states.h. */
const LISTENING = { tcp: '0A', udp: '07' };

/** Whether a socket listens on the port, according to the kernel's table for the network namespace of a process. */
function isListening(pid: number | undefined, port: number): boolean {
  // The process has not entered its own namespace yet.
  if (readNamespace(pid ?? 'self') === readNamespace('self')) return false;
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return (['tcp', 'udp'] as const).some((protocol) =>
    ['', '6'].some((version) => {
      try {
        const lines = readFileSync(`/proc/${pid}/net/${protocol}${version}`, 'latin1').split('\n');
        return lines.some((line) => {
          const [, local, , state] = line.trim().split(/\s+/);
          return local?.endsWith(`:${hex}`) === true && state === LISTENING[protocol];
        });
      } catch {
        return false;
      }
    }),
  );
}

function readNamespace(pid: number | string): string {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return '';
  }
}

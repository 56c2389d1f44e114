import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readQueueDepth, type ObservedQueue } from '../measure/queue-depth.ts';
import { readLinkLog, type LinkLog, type LinkLogOptions } from '../measure/link-log.ts';
import { delayArgument_ms, MAHIMAHI_DELAY_MS } from './idle-rtt.ts';
import type { Link } from './link.ts';
import type { QueueRow } from './postcard-link.ts';
import { linkFolder } from './stale.ts';
import { OPPORTUNITY_BYTES, writeLinkTraces } from './traces.ts';

/**
 * An emulated link: mahimahi's shells, nested, around a program that does nothing. Programs inside, including the
 * browser, are started from outside in the network namespace of the shells (`enterNetwork`), so that one process
 * controls the run and only packets cross the link.
 *
 *     outside: edge ── mm-delay (half the RTT each way) ── [mm-loss] ── mm-link (rate, queue, log) ── inside: browser
 */
export interface Shell {
  /** The id of a process in the network namespace inside. */
  readonly pid: number;
  /** The address of the outside, as seen from inside. */
  readonly outsideHost: string;
  /** The number of bytes that the bottleneck counts for a packet of 1500 bytes, as counted at the interface inside. */
  readonly countedBytes: number;
  /** The time that mm-delay adds to a round trip. */
  readonly delay_ms: number;
  /**
   * The emulator's own delay, as measured before: the idle round-trip time of two packets minus `delay_ms`, on a link
   * of 20 Mbit/s or more.
   */
  readonly toolDelay_ms: number;
  /** Reads the highest level of the downlink's queue since `since_ms` (ms since 1970) or an earlier time. */
  readQueue(since_ms: number): Promise<ObservedQueue>;
  /** On a link with weights, puts packets from this TCP port into the video's queue. */
  setVideoPort(port: number): Promise<void>;
  /** Marks the beginning of the session. Earlier drops are not counted. */
  markStart(): Promise<void>;
  /**
   * Reads the bottleneck's log of the downlink, and the record of every packet in its queue if available. `lost` counts
   * reports that did not arrive. `lateness_p99_ms` is the 99th percentile of the packets' delay relative to their
   * schedule since `begins`; null if not recorded.
   */
  readLink(options: LinkLogOptions): Promise<{
    log: LinkLog;
    queue?: readonly QueueRow[];
    lost: number;
    lateness_p99_ms: number | null;
  }>;
  /** Ends every shell and its namespace. The shells also end with this process, however it ends. */
  close(): Promise<void>;
}

/** The command prefix that runs a program in the network namespace of process `pid`. */
export const enterNetwork = (pid: number): string[] => ['nsenter', '--target', String(pid), '--net', '--'];

/** Debian's `nobody`, because mahimahi refuses to be run by root. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** The command prefix for mahimahi's shells, which run as nobody, with a higher CPU priority than the browser. */
const LINK_PREFIX = [
  ...['nice', '-n', '-20'],
  ...['setpriv', `--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups'],
];

const START_WITHIN_MS = 10_000;
const END_WITHIN_MS = 5_000;

/** Starts the shells of a link. Throws an Error that names the shell that did not start, with its message. */
export async function openShell(link: Link): Promise<Shell> {
  const folder = await mkdtemp(linkFolder());
  // mm-link writes its log as nobody.
  await chmod(folder, 0o777);
  try {
    const downlinkLog = join(folder, 'downlink.log');
    const traces = await writeLinkTraces(link.rate, folder);
    const command = [
      ...delayShell(delayArgument_ms(link.rtt_ms)),
      ...lossShell(link.loss ?? 0),
      ...linkShell(traces, link.queue_bytes, downlinkLog),
    ];
    const shell = await startShell(folder, [...LINK_PREFIX, ...command]);
    return {
      ...shell,
      countedBytes: OPPORTUNITY_BYTES,
      delay_ms: 2 * delayArgument_ms(link.rtt_ms),
      toolDelay_ms: MAHIMAHI_DELAY_MS,
      readQueue: async () => readQueueDepth(await readFile(downlinkLog, 'latin1')),
      // Nothing to do: mahimahi has one queue.
      setVideoPort: () => Promise.resolve(),
      // Nothing to do: entries in mahimahi's log have times, so earlier drops can be skipped.
      markStart: () => Promise.resolve(),
      readLink: async (options) => ({
        log: await readLinkLog(downlinkLog, options),
        lost: 0,
        lateness_p99_ms: null,
      }),
      async close() {
        await shell.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The command of mm-delay, which takes whole milliseconds for each direction. */
const delayShell = (each_way_ms: number): string[] => ['mm-delay', String(Math.max(0, each_way_ms))];

const lossShell = (loss: number): string[] =>
  loss > 0 ? ['mm-loss', 'uplink', String(loss), 'mm-loss', 'downlink', String(loss)] : [];

function linkShell(
  { uplink, downlink }: { uplink: string; downlink: string },
  queue_bytes: number,
  downlinkLog: string,
): string[] {
  const queue = (direction: string) => [
    `--${direction}-queue=droptail`,
    `--${direction}-queue-args=bytes=${queue_bytes}`,
  ];
  return [
    'mm-link',
    uplink,
    downlink,
    ...queue('uplink'),
    ...queue('downlink'),
    `--downlink-log=${downlinkLog}`,
    '--',
  ];
}

/**
 * Starts shells around a program that does nothing. By default, mahimahi's environment variable has the outside's
 * address.
 */
export async function startShell(
  folder: string,
  command: readonly string[],
  outsideHost = '$MAHIMAHI_BASE',
): Promise<Pick<Shell, 'pid' | 'outsideHost' | 'close'>> {
  const [program = '', ...args] = command;
  // `cat` waits until its input closes, which happens at the latest when this process ends.
  const waiting = ['sh', '-c', `echo "$$ ${outsideHost}"; exec cat >/dev/null`];
  const child = spawn(program, [...args, ...waiting], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, USER: 'nobody' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    const [pid, outside] = await firstWords(child, () => said.trim().split('\n').at(-1) ?? '');
    return { pid, outsideHost: outside, close: () => end(child) };
  } catch (error) {
    await end(child);
    throw error;
  }
}

function firstWords(child: ChildProcess, complaint: () => string): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      const said = complaint();
      reject(
        new Error(
          `the link's shells ${what}${said === '' ? '' : `: ${said}`}; npm run lab -- doctor tells more`,
        ),
      );
    };
    const deadline = setTimeout(
      () => fail(`were not up within ${START_WITHIN_MS / 1000} s`),
      START_WITHIN_MS,
    );
    const settle = () => clearTimeout(deadline);
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const [, pid, host] = /^(\d+) (\S+)\n/.exec(text) ?? [];
      if (pid === undefined || host === undefined) return;
      settle();
      resolve([Number(pid), host]);
    });
    child.once('error', (error) => {
      settle();
      fail(`did not start (${error.message})`);
    });
    child.once('exit', (status) => {
      settle();
      fail(`ended at once with status ${status ?? 'unknown'}`);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.stdin?.end();
    const impatient = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS);
    await exited;
    clearTimeout(impatient);
  }
}

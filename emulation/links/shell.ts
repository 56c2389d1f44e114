import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { queueSeenIn, type QueueSeen } from '../measure/queue-depth.ts';
import { readLinkLog, type LinkLog, type LinkLogOptions } from '../measure/link-log.ts';
import type { Link } from './link.ts';
import type { QueueRow } from './postcard-link.ts';
import { linkFolder } from './stale.ts';
import { OPPORTUNITY_BYTES, writeLinkTraces } from './traces.ts';

/**
 * An emulated link: mahimahi's shells, nested, around a program that only waits. Everything inside, the browser
 * too, is started from outside into the network namespace that the shells have made (`intoNetworkOf`), so that one
 * process conducts the run and nothing but packets passes the link.
 *
 *     outside: edge ── mm-delay (half the RTT each way) ── [mm-loss] ── mm-link (rate, queue, log) ── inside: browser
 */
export interface Shell {
  /** A process inside: its network namespace is the inside. */
  readonly pid: number;
  /** The address of the outside, from inside. */
  readonly outsideHost: string;
  /** What the bottleneck's rate counts for what the interface inside counts as 1500 bytes. */
  readonly countedBytes: number;
  /** What mm-delay adds to a round trip. */
  readonly delay_ms: number;
  /**
   * What an idle round trip of two packets takes beyond `delay_ms` on a link of 20 Mbit/s or more: the tool's own, which
   * is known from measurement.
   */
  readonly toolDelay_ms: number;
  /** What the downlink's queue was seen to hold, in a time that includes all since `since_ms`, ms since 1970. */
  readQueue(since_ms: number): Promise<QueueSeen>;
  /** The session begins: what was dropped before is not its. */
  begins(): Promise<void>;
  /**
   * What the bottleneck says of the downlink, and its queue packet by packet where it tells; `lost` are packets of
   * which it told, and nobody heard. `lateness_p99_ms`: how much later than its schedule it let packets go since
   * `begins`; null where it does not tell.
   */
  readLink(options: LinkLogOptions): Promise<{
    log: LinkLog;
    queue?: readonly QueueRow[];
    lost: number;
    lateness_p99_ms: number | null;
  }>;
  /** Where every shell and its namespace end; also when this process does, however it ends. */
  close(): Promise<void>;
}

/** The words before a command that run it in the network namespace of process `pid`. */
export const intoNetworkOf = (pid: number): string[] => ['nsenter', '--target', String(pid), '--net', '--'];

/** Debian's `nobody`: mahimahi refuses to be run by root. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

/** Before mahimahi's shells: as nobody, and before the browser and all else that wants a CPU, as a link would be. */
const LINK_FIRST = [
  ...['nice', '-n', '-20'],
  ...['setpriv', `--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups'],
];

const START_WITHIN_MS = 10_000;
const END_WITHIN_MS = 5_000;

/** Throws an Error that says which shell did not start, and what it said. */
export async function openShell(link: Link): Promise<Shell> {
  const folder = await mkdtemp(linkFolder());
  // mm-link writes its log as nobody.
  await chmod(folder, 0o777);
  try {
    const downlinkLog = join(folder, 'downlink.log');
    const traces = await writeLinkTraces(link.rate, folder);
    const command = [
      ...delayShell(besideSlots(link.rtt_ms)),
      ...lossShell(link.loss ?? 0),
      ...linkShell(traces, link.queue_bytes, downlinkLog),
    ];
    const shell = await startShell(folder, [...LINK_FIRST, ...command]);
    return {
      ...shell,
      countedBytes: OPPORTUNITY_BYTES,
      delay_ms: 2 * besideSlots(link.rtt_ms),
      toolDelay_ms: MAHIMAHI_MS,
      readQueue: async () => queueSeenIn(await readFile(downlinkLog, 'latin1')),
      // Its log has times.
      begins: () => Promise.resolve(),
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

/**
 * mahimahi's own part of an idle round trip: slots of 1 ms in mm-link and polls of whole ms in mm-delay, each way, and a
 * pair's second packet. Median of 24 calibrations at 40 Mbit/s and 5 ms (mm-delay 2) on a machine 41% busy: 6.65 ms,
 * half of them within 6.59 and 6.72. The least of six each on a busy one: 2.54 at 40 Mbit/s, 2.82 at 22, 2.75 at 60,
 * 2.78 at 120.
 */
const MAHIMAHI_MS = 2.65;

/** Of whole milliseconds each way. */
const delayShell = (each_way_ms: number): string[] => ['mm-delay', String(Math.max(0, each_way_ms))];

/** mm-link hands packets on in slots of 1 ms, so each way costs half a millisecond beside the delay. */
const besideSlots = (rtt_ms: number): number => Math.floor((rtt_ms - 1) / 2);

/** What the idle link's round trip is, where `rtt_ms` was asked for. */
export const idleRtt_ms = (rtt_ms: number): number => 2 * Math.max(0, besideSlots(rtt_ms)) + MAHIMAHI_MS;

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

/** Starts shells around a program that waits; the address of the outside is mahimahi's own word for it, unless given. */
export async function startShell(
  folder: string,
  command: readonly string[],
  outsideHost = '$MAHIMAHI_BASE',
): Promise<Pick<Shell, 'pid' | 'outsideHost' | 'close'>> {
  const [program = '', ...args] = command;
  // `cat` waits until its input ends, which it does at the latest with this process.
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

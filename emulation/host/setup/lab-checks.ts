import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { congestionControls } from '../../../edge/local/kernel/socket-options.ts';
import { missingNginxReason } from '../../../edge/nginx/module.ts';
import { nginxVersion } from '../../../edge/nginx/program.ts';
import { aptCommand } from '../../../system/apt.ts';
import { runQuietly } from '../../../system/run-quietly.ts';
import { LINUX_CONTROLS } from '../../network/congestion/index.ts';
import { TRACEFS, ensureTracefs } from '../../network/measure/tcp-probe.ts';
import { NOBODY } from '../../network/links/shell.ts';
import type { Check } from './check.ts';
import {
  MAHIMAHI_INSTALLS_ITSELF,
  chromium,
  ffmpeg,
  kernelPacing,
  program,
  throwMissing,
} from './common-checks.ts';
import { usableIptables } from './iptables.ts';
import { findMahimahi, findTraces, forwardsPackets } from './mahimahi.ts';

/** Space for a run's link log, its results, and a browser's profile. */
const LEAST_FREE_BYTES = 1e9;
const SHELL_WITHIN_MS = 5000;
const BESIDE_RENO = LINUX_CONTROLS.filter((name) => name !== 'reno');

async function congestionControl(...names: string[]): Promise<string> {
  const { available } = await congestionControls();
  const missing = names.filter((name) => !available.includes(name));
  return missing.length === 0
    ? 'yes'
    : throwMissing(`the kernel has ${available.join(' ')}, not ${missing.join(', ')}`);
}

/** Starts a shell as the lab does: as the user nobody, because mahimahi refuses root. */
async function startShell(): Promise<string> {
  findMahimahi();
  const shell = ['mm-delay', '1', 'true'];
  const asNobody = ['setpriv', `--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups'];
  const [name = '', ...args] = process.getuid?.() === 0 ? [...asNobody, ...shell] : shell;
  await runQuietly(name, args, {
    env: { PATH: process.env.PATH, HOME: tmpdir(), USER: 'nobody' },
    cwd: tmpdir(),
    timeout: SHELL_WITHIN_MS,
  });
  return shell.join(' ');
}

async function freeSpace(): Promise<string> {
  const folders = [process.cwd(), tmpdir()];
  const free = await Promise.all(
    folders.map(async (folder) => {
      const { bavail, bsize } = await statfs(folder);
      return { folder, bytes: bavail * bsize };
    }),
  );
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
  const full = free.find(({ bytes }) => bytes < LEAST_FREE_BYTES);
  if (full)
    return throwMissing(
      `${gigabytes(full.bytes)} free in ${full.folder}, ${gigabytes(LEAST_FREE_BYTES)} wanted`,
    );
  return gigabytes(Math.min(...free.map(({ bytes }) => bytes)));
}

const needed = {
  neededBy: 'every run',
  required: true,
  without: 'no runs on real links; lab run --link virtual, world, trial and search work',
} as const;
/** The runs that need mahimahi: all except those with the P4 switch as the link. */
export const MAHIMAHI_RUNS = 'runs without --link p4';
const neededByMahimahi = {
  neededBy: MAHIMAHI_RUNS,
  required: true,
  without: 'no runs on real links, except with --link p4; lab run --link virtual works',
} as const;

/** The lab's checks. To add one, add an entry. */
export const labChecks: readonly Check[] = [
  {
    ...needed,
    name: 'root',
    find: () =>
      process.getuid?.() === 0 ? 'yes' : throwMissing('no: namespaces and trace points need root'),
    mend: 'run it with sudo',
  },
  { ...neededByMahimahi, name: 'mahimahi', find: findMahimahi, mend: MAHIMAHI_INSTALLS_ITSELF },
  {
    ...neededByMahimahi,
    name: 'iptables for mahimahi',
    find: usableIptables,
    mend: MAHIMAHI_INSTALLS_ITSELF,
  },
  {
    ...neededByMahimahi,
    name: 'packet forwarding',
    find: async () =>
      (await forwardsPackets()) ? 'net.ipv4.ip_forward=1' : throwMissing('net.ipv4.ip_forward is not 1'),
    mend: 'sudo sysctl -w net.ipv4.ip_forward=1',
  },
  {
    ...neededByMahimahi,
    name: 'a shell starts',
    find: startShell,
    mend: 'fix what is missing above; start a container with --privileged',
  },
  {
    name: 'cellular traces',
    neededBy: 'traces',
    required: false,
    find: findTraces,
    without: 'no traces of cellular networks, on real links or simulated; give your own with --traces',
    mend: 'sudo npm run lab -- run traces, which installs them; with --link p4 it installs nothing else',
  },
  { ...needed, name: 'ip', find: () => program('ip'), mend: aptCommand('iproute2') },
  { ...needed, name: 'nsenter', find: () => program('nsenter'), mend: aptCommand('util-linux') },
  {
    ...needed,
    name: 'tcp_probe',
    find: async () => {
      await ensureTracefs();
      return TRACEFS;
    },
    mend: 'run it with sudo, on a kernel with CONFIG_FTRACE',
  },
  {
    ...needed,
    name: 'reno',
    find: () => congestionControl('reno'),
    mend: 'run on Linux, whose TCP always has it',
  },
  {
    name: BESIDE_RENO.join(', '),
    neededBy: 'buffer-paper',
    required: false,
    find: () => congestionControl(...BESIDE_RENO),
    without: 'buffer-paper cannot run those of its flows',
    mend: `sudo modprobe -a ${BESIDE_RENO.map((name) => `tcp_${name}`).join(' ')}`,
  },
  { ...needed, ...kernelPacing },
  { ...needed, ...chromium },
  { ...needed, ...ffmpeg },
  {
    name: 'nginx, and what builds a module',
    neededBy: '--edge nginx',
    required: false,
    find: async () => {
      const missingReason = await missingNginxReason();
      return missingReason === null ? nginxVersion() : throwMissing(missingReason);
    },
    without: 'the Node edge serves the lab',
    mend: 'sudo npm run edge:nginx -- --install',
  },
  {
    ...needed,
    name: 'free disk space',
    find: freeSpace,
    mend: 'remove old results, or point TMPDIR and --out elsewhere',
  },
];

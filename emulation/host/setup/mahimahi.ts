import { existsSync } from 'node:fs';
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aptGet, canUseApt } from '../../../system/apt.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { cellularTraces } from '../../network/links/traces.ts';
import { entryForSuite, hasSuite, parseSources, type DebianSource } from './debian-sources.ts';
import { usableIptables } from './iptables.ts';

const SHELLS = ['mm-delay', 'mm-link', 'mm-loss'];

/** Debian 11, the last release with mahimahi, and with an iptables that its shells can use. */
const SUITE = 'bullseye';
const PACKAGES = ['mahimahi', 'mahimahi-traces', 'iproute2', 'util-linux'];
const FROM_SUITE = ['iptables', 'libxtables12', 'libip4tc2', 'libip6tc2'];
const SOURCE_FILE = `/etc/apt/sources.list.d/dashjs-sammy-${SUITE}.sources`;
const PREFERENCES_FILE = `/etc/apt/preferences.d/dashjs-sammy-${SUITE}`;
/**
 * A priority below that of installed packages (apt_preferences(5)), so that apt takes nothing from this suite unless
 * requested.
 */
const PREFERENCES = `Package: *\nPin: release n=${SUITE}\nPin-Priority: 50\n`;

const IP_FORWARD = '/proc/sys/net/ipv4/ip_forward';

/** The path of mm-link. Throws an Error that names the missing shells. */
export function findMahimahi(): string {
  const lacking = SHELLS.filter((shell) => findExecutable(shell) === undefined);
  if (lacking.length > 0) throw new Error(`${lacking.join(', ')} not on the PATH`);
  return findExecutable('mm-link') ?? '';
}

/** Finds mahimahi's traces. Throws an Error if there are none. */
export async function findTraces(): Promise<string> {
  const pairs = await cellularTraces();
  if (pairs.length === 0) throw new Error('no pair of cellular traces');
  return pairs.map(({ name }) => name).join(', ');
}

/** Whether the kernel forwards packets between the shells. */
export const forwardsPackets = async (): Promise<boolean> =>
  (await readFile(IP_FORWARD, 'utf8').catch(() => '')).trim() === '1';

/**
 * Installs the missing parts of mahimahi, with its cellular traces if needed. Throws an Error of one line if this
 * process does not have the permission. Fast when nothing is missing.
 */
export async function ensureMahimahi(
  onProgress: OnProgress = () => undefined,
  wanted: { readonly traces?: boolean } = {},
): Promise<void> {
  await installMahimahi(onProgress, wanted);
  if (!(await forwardsPackets())) await forwardPackets();
}

/** Installs mahimahi without changing the kernel's setting, which is not possible while an image is built. */
export async function installMahimahi(
  onProgress: OnProgress,
  { traces = false }: { readonly traces?: boolean },
): Promise<void> {
  const missing = await findMissing(traces);
  if (missing !== undefined) {
    if (!canUseApt())
      throw new Error(
        `mahimahi is incomplete: ${missing}; run the command with sudo on Debian, which installs it`,
      );
    onProgress({ task: installingLine(await usableIptables().catch(() => null)), lasting: true });
    await install();
    const still = await findMissing(traces);
    if (still !== undefined)
      throw new Error(`apt has installed mahimahi, but it is still incomplete: ${still}`);
  }
}

/**
 * Announces the installation, in which apt replaces the machine's iptables if mahimahi's shells cannot use the present
 * version.
 */
const installingLine = (usable: string | null): string =>
  `Installing mahimahi from Debian ${SUITE}${
    usable === null
      ? `, and iptables 1.8.7 in place of this machine's, because newer versions refuse to run setuid`
      : ''
  }; --link p4 and --link virtual need neither`;

/**
 * Installs only mahimahi's traces, if they are missing, for runs without a mahimahi link. `otherwise` is the
 * user's alternative, for the error message.
 */
export async function installTraces(
  onProgress: OnProgress,
  otherwise = 'give your own with --traces',
): Promise<void> {
  if ((await cellularTraces()).length > 0) return;
  if (!canUseApt())
    throw new Error(
      `mahimahi's traces are missing; run the command with sudo on Debian, which installs them, or ${otherwise}`,
    );
  onProgress({ task: `Installing mahimahi-traces from Debian ${SUITE}`, lasting: true });
  await fromSuite(() => aptGet('install', 'mahimahi-traces'));
  await findTraces();
}

async function findMissing(traces: boolean): Promise<string | undefined> {
  try {
    findMahimahi();
    if (traces) await findTraces();
    await usableIptables();
    for (const name of ['ip', 'nsenter'])
      if (findExecutable(name) === undefined) throw new Error(`${name} is not on the PATH`);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const install = (): Promise<void> =>
  fromSuite(async () => {
    await aptGet('install', ...PACKAGES);
    // Installed separately, because apt would refuse them as downgrades together with mahimahi.
    const older = FROM_SUITE.map((name) => `${name}/${SUITE}`);
    await aptGet('install', '--allow-downgrades', ...older);
  });

/** Installs with the suite added to apt's sources; removes it again if that fails. */
async function fromSuite(installing: () => Promise<unknown>): Promise<void> {
  const added = await addSuite();
  try {
    await aptGet('update');
    await installing();
  } catch (error) {
    for (const file of added) await rm(file, { force: true });
    throw error;
  }
}

/** Adds the suite to apt, and returns the files written; none if apt has the suite already. */
async function addSuite(): Promise<string[]> {
  const sources = await machineSources();
  if (hasSuite(sources, SUITE)) return [];
  const codename = /^VERSION_CODENAME=(.*)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? '';
  const entry = entryForSuite(sources, codename, SUITE);
  if (entry === undefined)
    throw new Error(
      `apt has no archive of Debian to take mahimahi from: install mahimahi and ${FROM_SUITE[0]} 1.8.7`,
    );
  // The pin is written first, so that the old suite never has the priority of the machine's own.
  await writeFile(PREFERENCES_FILE, PREFERENCES);
  await writeFile(SOURCE_FILE, entry);
  return [SOURCE_FILE, PREFERENCES_FILE];
}

async function machineSources(): Promise<DebianSource[]> {
  const folder = '/etc/apt/sources.list.d';
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.(list|sources)$/.test(name));
  const files = ['/etc/apt/sources.list', ...names.map((name) => join(folder, name))].filter((file) =>
    existsSync(file),
  );
  const lists = await Promise.all(
    files.map(async (file) => parseSources(file, await readFile(file, 'utf8'))),
  );
  return lists.flat();
}

async function forwardPackets(): Promise<void> {
  try {
    await writeFile(IP_FORWARD, '1');
  } catch {
    throw new Error(
      'the kernel forwards no packets between the shells; sudo sysctl -w net.ipv4.ip_forward=1',
    );
  }
}

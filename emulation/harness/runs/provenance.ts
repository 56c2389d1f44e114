import { readFile } from 'node:fs/promises';
import { release } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../../system/run-quietly.ts';
import { THEN, type Manifest } from './manifest.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The version of a program that reported none. */
const UNKNOWN = 'unknown';

/**
 * The environment variable with the commit in a virtual machine. Git does not run inside: its number of system calls
 * depends on whether its index is up to date, and each call that fails takes a microsecond of the machine's time, which
 * would shift all later events.
 */
export const COMMIT_VARIABLE = 'DASHJS_SAMMY_COMMIT';

/** The versions of everything that makes the results: code, programs, kernel. */
export async function provenance(): Promise<Pick<Manifest, 'commit' | 'versions' | 'kernel' | 'units'>> {
  const said = (program: string, ...args: string[]) => runOrUnknown(root, program, ...args);
  const dashjs = JSON.parse(await readFile(`${root}/node_modules/dashjs/package.json`, 'utf8')) as {
    version: string;
  };
  const [commit, mahimahi] = await Promise.all([
    process.env[COMMIT_VARIABLE] ?? readCommit(),
    said('dpkg-query', '--show', '--showformat=${Version}', 'mahimahi'),
  ]);
  return {
    commit,
    kernel: release(),
    versions: {
      node: process.versions.node,
      'dash.js': dashjs.version,
      mahimahi,
    },
    units: '',
  };
}

/** The abbreviated hash of the repository's commit, followed by `, with changes` if files have uncommitted changes. */
export async function readCommit(): Promise<string> {
  const [commit, changes] = await Promise.all([
    runOrUnknown(root, 'git', 'rev-parse', '--short=12', 'HEAD'),
    listChanges(root),
  ]);
  return changes === '' || commit === UNKNOWN ? commit : `${commit}, with changes`;
}

/**
 * `lab confirm` registers each confirmation in this file before the first run, so the file always has uncommitted
 * changes. It contains no code.
 */
const REGISTER = 'emulation/studies/confirm/protocols/registered.json';

/** The files of the repository `folder` with uncommitted changes, in the format of `git status`. */
export const listChanges = (folder: string): Promise<string> =>
  runOrUnknown(folder, 'git', 'status', '--porcelain', '--', '.', `:(exclude)${REGISTER}`);

const runOrUnknown = (cwd: string, program: string, ...args: string[]): Promise<string> =>
  runQuietly(program, args, { cwd }).then(
    (text) => text.trim(),
    () => UNKNOWN,
  );

/**
 * Returns the manifest of a resumed folder, which lists every commit that made some of the runs. Throws an Error if the
 * new runs would use another video.
 */
export function resumedBy<Made extends Pick<Manifest, 'commit' | 'versions'>>(
  before: Made,
  now: Pick<Manifest, 'commit' | 'versions'>,
): Made {
  const [had, has] = [before.versions.film, now.versions.film];
  if (had !== undefined && had !== has)
    throw new Error(
      `the existing runs have the video ${had}, but the video is now ${has ?? 'missing'}; choose another --out`,
    );
  const commits = before.commit.split(THEN);
  return {
    ...before,
    commit: commits.at(-1) === now.commit ? before.commit : [...commits, now.commit].join(THEN),
  };
}

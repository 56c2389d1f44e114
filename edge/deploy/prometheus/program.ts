import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ensureDebianPackages,
  findDebianPackages,
  type DebianPackages,
} from '../../../system/debian-packages.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import type { OnProgress } from '../../../system/progress.ts';

/** A Prometheus, which scrapes and answers queries, and its tool that checks and tests rules. */
export interface Prometheus {
  readonly prometheus: string;
  readonly promtool: string;
}

/** The Prometheus of this machine, or one downloaded earlier; undefined if there is none. */
export function findPrometheus(): Prometheus | undefined {
  const [prometheus, promtool] = [findExecutable('prometheus'), findExecutable('promtool')];
  if (prometheus !== undefined && promtool !== undefined) return { prometheus, promtool };
  const debian = findDebianPackages(packages());
  return debian && inFolder(debian.folder);
}

/** Downloads the package of this machine's Debian release, 19 MB. Throws an Error if that fails. */
export async function ensurePrometheus(onProgress: OnProgress): Promise<Prometheus> {
  return findPrometheus() ?? inFolder((await ensureDebianPackages(packages(), onProgress)).folder);
}

/** The program is one file, which needs no other library than the C library. */
function packages(): DebianPackages {
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(system)?.[1] ?? 'bookworm';
  return { release, programs: [], files: ['prometheus'] };
}

const inFolder = (folder: string): Prometheus => ({
  prometheus: join(folder, 'usr/bin/prometheus'),
  promtool: join(folder, 'usr/bin/promtool'),
});

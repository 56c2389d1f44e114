import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ensureDebianPackages,
  findDebianPackages,
  type DebianPackages,
} from '../../../system/debian-packages.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import type { OnProgress } from '../../../system/progress.ts';

/** The paths of Prometheus, which scrapes and answers queries, and of promtool, which checks and tests rules. */
export interface Prometheus {
  readonly prometheus: string;
  readonly promtool: string;
}

/** Finds an installed or previously downloaded Prometheus; undefined if there is none. */
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

/** Only Prometheus itself is unpacked, because it needs no library except the C library. */
function packages(): DebianPackages {
  const system = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const release = /^VERSION_CODENAME=(\w+)$/m.exec(system)?.[1] ?? 'bookworm';
  return { release, programs: [], files: ['prometheus'] };
}

const inFolder = (folder: string): Prometheus => ({
  prometheus: join(folder, 'usr/bin/prometheus'),
  promtool: join(folder, 'usr/bin/promtool'),
});

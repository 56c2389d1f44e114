import { chmod, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { aptCommand, canUseApt, ensureAptPackages } from '../system/apt.ts';
import { cacheFolder } from '../system/cache.ts';
import { findExecutable } from '../system/find-executable.ts';
import type { OnProgress } from '../system/progress.ts';
import { runQuietly } from '../system/run-quietly.ts';

export interface Ffmpeg {
  readonly ffmpeg: string;
  readonly ffprobe: string;
}

const ENCODERS = ['libvpx-vp9', 'libopus'];

/** Returns which of VP9 and Opus an ffmpeg cannot encode. */
export async function missingEncoders(ffmpeg: string): Promise<string[]> {
  const known = await runQuietly(ffmpeg, ['-hide_banner', '-encoders']);
  return ENCODERS.filter((name) => !new RegExp(`\\s${name}\\s`).test(known));
}

/** Finds ffmpeg and ffprobe on the PATH, without a check of their encoders and filters. */
export function findFfmpeg(): Ffmpeg | undefined {
  const ffmpeg = findExecutable('ffmpeg');
  const ffprobe = findExecutable('ffprobe');
  return ffmpeg !== undefined && ffprobe !== undefined ? { ffmpeg, ffprobe } : undefined;
}

const usable = async (found: Ffmpeg | undefined): Promise<Ffmpeg | undefined> =>
  found && (await missingEncoders(found.ffmpeg)).length === 0 ? found : undefined;

/**
 * Packages of npm with static builds, pinned and downloaded into the cache. They are LGPL/GPL, so they must never be
 * dependencies.
 */
const NPM_PACKAGES = ['@ffmpeg-installer/ffmpeg@1.1.0', '@ffprobe-installer/ffprobe@2.1.2'];

async function ffmpegFromNpm(onProgress: OnProgress): Promise<Ffmpeg | undefined> {
  const folder = join(cacheFolder(), 'ffmpeg-from-npm');
  const load = async (): Promise<Ffmpeg> => {
    const require = createRequire(join(folder, 'index.js'));
    const { path: ffmpeg } = require('@ffmpeg-installer/ffmpeg') as { path: string };
    const { path: ffprobe } = require('@ffprobe-installer/ffprobe') as { path: string };
    // The packages' install scripts do no more than this, and npm may be configured to run none.
    await Promise.all([ffmpeg, ffprobe].map((file) => chmod(file, 0o755)));
    return { ffmpeg, ffprobe };
  };
  try {
    return await load();
  } catch {
    if (findExecutable('npm') === undefined) return undefined;
  }
  onProgress({ task: 'Downloading ffmpeg from npm' });
  await mkdir(folder, { recursive: true });
  const options = { cwd: folder, shell: process.platform === 'win32' };
  await runQuietly(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder, ...NPM_PACKAGES],
    options,
  );
  return load();
}

/**
 * Returns an ffmpeg and ffprobe that encode VP9 and Opus: those on the PATH, otherwise Debian's if this process may
 * install packages, otherwise npm's in the cache.
 */
export async function ensureFfmpeg(onProgress: OnProgress = () => undefined): Promise<Ffmpeg> {
  const onPath = findFfmpeg();
  let reason =
    onPath === undefined
      ? 'ffmpeg and ffprobe are not on the PATH'
      : `${onPath.ffmpeg} lacks ${(await missingEncoders(onPath.ffmpeg)).join(' and ')}`;
  const good = await usable(onPath);
  if (good) return good;
  try {
    if (canUseApt() && !onPath) await ensureAptPackages(['ffmpeg'], onProgress);
    const installed = (await usable(findFfmpeg())) ?? (await usable(await ffmpegFromNpm(onProgress)));
    if (installed) return installed;
  } catch (error) {
    reason += `, and installing it failed (${error instanceof Error ? error.message : String(error)})`;
  }
  throw new Error(
    `${reason}; install an ffmpeg with ${ENCODERS.join(' and ')}, for instance with '${aptCommand('ffmpeg')}' or 'brew install ffmpeg'`,
  );
}

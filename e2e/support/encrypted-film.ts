import { spawnSync } from 'node:child_process';
import { access, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { buildFolder } from '../../system/build-folder.ts';
import { cacheFolder, cacheKey } from '../../system/cache.ts';
import { INIT_SEGMENT } from '../../media/encode.ts';
import { AUDIO_ID, SEGMENT_S } from '../../media/ladder.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { MANIFEST_FILE } from '../../media/sidecar.ts';

/** The npm package contains Shaka Packager's programs for all platforms. This script of the package starts the right program. */
const PACKAGER = createRequire(import.meta.url).resolve('shaka-packager');

const packagerVersion = () =>
  spawnSync(process.execPath, [PACKAGER, '--version'], { encoding: 'utf8' }).stdout;

/** The reason why this machine cannot encrypt a video, or null. */
export const missingPackagerReason = (): string | null =>
  packagerVersion().startsWith('packager version')
    ? null
    : `shaka-packager has no program for ${process.platform} on ${process.arch}`;

/** The id and the value of the key, 128 bits each, in hexadecimal. */
const KEY_ID = '00112233445566778899aabbccddeeff';
const KEY = '8f4b2e1d6c9a07355360718293a4b5c6';

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url');

/** The key in the form that dash.js needs for Clear Key (W3C Encrypted Media Extensions §9.1.3: base64url, unpadded). */
export const CLEAR_KEY = { 'org.w3.clearkey': { clearkeys: { [base64url(KEY_ID)]: base64url(KEY) } } };

const OPTIONS = [
  ...['--segment_duration', String(SEGMENT_S)],
  '--generate_static_live_mpd',
  '--enable_raw_key_encryption',
  ...['--keys', `label=:key_id=${KEY_ID}:key=${KEY}`],
  ...['--protection_scheme', 'cenc'],
  ...['--protection_systems', 'CommonSystem'],
  // Encrypt the first segments too.
  ...['--clear_lead', '0'],
];

/** Writes each track of a ladder into one file, which is the packager's input. */
async function writeTracks(ladder: string, folder: string): Promise<string[]> {
  const entries = await readdir(ladder, { withFileTypes: true });
  const tracks = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const track of tracks) {
    const files = await readdir(join(ladder, track));
    const media = files.filter((file) => file.endsWith('.m4s'));
    media.sort((a, b) => parseInt(a) - parseInt(b));
    const parts = [INIT_SEGMENT, ...media].map((file) => readFile(join(ladder, track, file)));
    await writeFile(join(folder, `${track}.mp4`), Buffer.concat(await Promise.all(parts)));
  }
  return tracks;
}

/** Encrypts the ladder in the folder `ladder` (Common Encryption, ISO/IEC 23001-7, `cenc`), unless it is in the cache. */
export async function encryptedFilm(ladder: string): Promise<string> {
  const key = cacheKey({ ladder: basename(ladder), packager: packagerVersion(), options: OPTIONS });
  const target = join(cacheFolder(), 'ladders', `encrypted-${key}`);
  const build = async (folder: string, signal: AbortSignal): Promise<void> => {
    const tracks = await writeTracks(ladder, folder);
    const streams = tracks.map((track) =>
      [
        `in=${track}.mp4`,
        `stream=${track === AUDIO_ID ? 'audio' : 'video'}`,
        `init_segment=${track}/${INIT_SEGMENT}`,
        `segment_template=${track}/$Number$.m4s`,
      ].join(','),
    );
    const args = [PACKAGER, ...streams, ...OPTIONS, '--mpd_output', MANIFEST_FILE];
    await runQuietly(process.execPath, args, { cwd: folder, signal });
    // Check the output, because the script ends with status 0 even if the program has failed.
    await access(join(folder, MANIFEST_FILE));
    await Promise.all(tracks.map((track) => rm(join(folder, `${track}.mp4`))));
  };
  await buildFolder(target, build, { reuse: true });
  return target;
}

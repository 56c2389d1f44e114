import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFolder } from '../system/build-folder.ts';
import { ensureFfmpeg } from './ffmpeg.ts';
import { fileSource } from './sources/file-source.ts';
import { syntheticFilm } from './sources/footage.ts';
import { FILM_LADDER, SYNTHETIC_LADDER } from './ladder.ts';
import { encodeFilm } from './encode-film.ts';
import { progressPrinter } from '../system/progress.ts';
import { MANIFEST_FILE, SIDECAR_FILE, type QualitySidecar } from './sidecar.ts';
import { describeSidecar } from './describe-sidecar.ts';

export const help = `
Makes a DASH ladder of a film, with the size and the quality of every segment in a sidecar.

    npm run media -- FILE [--seconds N] [--out DIR]
    npm run media -- --synthetic [--seconds N] [--out DIR]

    FILE          any video that ffmpeg can read
    --synthetic   a film that ffmpeg makes of nothing (60 s unless --seconds says otherwise)
    --seconds N   cut the film to N seconds, or repeat it until it lasts so long
    --out DIR     where to write it (default: FILE's name with '-dash', in this folder)

Five VP9 rungs of ${FILM_LADDER.map((rung) => rung.bitrate).join(', ')} kbit/s and Opus sound, in fragmented MP4, with segments of 2 s:
DIR/${MANIFEST_FILE} for the player, DIR/${SIDECAR_FILE} with each segment's bytes and SSIM (dB), DIR/<rung>/<number>.m4s.
`;

const LONGEST_S = 86_400;

function parseSeconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d*\.?\d+$/.test(text) ? Number(text) : NaN;
  if (value > 0 && value <= LONGEST_S) return value;
  throw new Error(`--seconds must be a number above 0 and at most ${LONGEST_S}, not '${text}'`);
}

/** Refuses to replace anything but a ladder of ours. */
async function checkOutput(directory: string): Promise<void> {
  const status = await stat(directory).catch(() => undefined);
  if (!status) return;
  const files = status.isDirectory() ? await readdir(directory) : ['itself'];
  if (files.length === 0 || (files.includes(SIDECAR_FILE) && files.includes(MANIFEST_FILE))) return;
  throw new Error(`'${directory}' exists and is no ladder; name another folder with --out`);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { synthetic: { type: 'boolean' }, seconds: { type: 'string' }, out: { type: 'string' } },
    });
  } catch (error) {
    // Node goes on with advice about dashes.
    const complaint = (error as Error).message.split(/\.\s/)[0] ?? '';
    throw new Error(`${complaint}; npm run media -- --help lists the options`, { cause: error });
  }
}

export async function main(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const [file, ...others] = positionals;
  if (others.length > 0) throw new Error(`one film at a time, not ${positionals.join(', ')}`);
  if ((file === undefined) === (values.synthetic !== true)) {
    throw new Error('name a video file or --synthetic (not both); npm run media -- --help says more');
  }
  const wanted_s = parseSeconds(values.seconds);
  const directory = resolve(
    values.out ?? `${file === undefined ? 'synthetic' : basename(file, extname(file))}-dash`,
  );
  await checkOutput(directory);

  const ladder = file === undefined ? SYNTHETIC_LADDER : FILM_LADDER;
  const onProgress = progressPrinter();
  let sidecar: QualitySidecar | undefined;
  try {
    const tools = await ensureFfmpeg(onProgress);
    const source =
      file === undefined ? syntheticFilm(wanted_s) : await fileSource(file, tools.ffprobe, wanted_s);
    await buildFolder(
      directory,
      async (folder, signal) => {
        sidecar = await encodeFilm({ source, ladder, tools, folder, signal, onProgress });
      },
      {
        reuse: false,
        onWait: (owner) => onProgress({ task: `Waiting for process ${owner} to finish the same folder` }),
      },
    );
  } finally {
    onProgress.end();
  }
  if (sidecar) console.log(describeSidecar(sidecar));
  console.log(`Wrote ${join(directory, MANIFEST_FILE)}`);
  console.log(`Serve it with: npm run edge -- --origin ${directory} --port 8080`);
}

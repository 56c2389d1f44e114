import { readdir, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { defineCommandLine } from '../system/command-line/command-line.ts';
import { numberAbove } from '../system/command-line/parsers.ts';
import { buildFolder } from '../system/build-folder.ts';
import { ensureFfmpeg } from './ffmpeg.ts';
import { fileSource } from './sources/file-source.ts';
import { smallFilm, syntheticFilm } from './sources/footage.ts';
import { FILM_LADDER, SYNTHETIC_LADDER, TEST_LADDER } from './ladder.ts';
import { encodeFilm } from './encode-film.ts';
import { progressPrinter } from '../system/progress.ts';
import { MANIFEST_FILE, SIDECAR_FILE, type QualitySidecar } from './sidecar.ts';
import { describeSidecar } from './describe-sidecar.ts';

const LONGEST_S = 86_400;

const commandLine = defineCommandLine({
  command: 'npm run media --',
  usage: 'FILE|--synthetic [options]',
  about: `Makes a DASH ladder of a video that ffmpeg can read, with the size and the quality of every segment in a sidecar: five VP9 rungs of ${FILM_LADDER.map((rung) => rung.bitrate).join(', ')} kbit/s and Opus audio, in fragmented MP4, with segments of 2 s. DIR/${MANIFEST_FILE} is for the player, DIR/${SIDECAR_FILE} has each segment's bytes and SSIM (dB), DIR/<rung>/<number>.m4s are the segments.`,
  maxPositionals: 1,
  options: {
    synthetic: { about: 'a video that ffmpeg generates (60 s unless --seconds says otherwise)' },
    small: { about: 'with --synthetic: frames of 320 × 180 at the same bitrates, encoded in seconds (24 s)' },
    seconds: {
      valueName: 'N',
      about: 'cut the video to N seconds, or repeat it until it lasts so long',
      parse: numberAbove(0, LONGEST_S),
    },
    out: { valueName: 'DIR', about: "where to write it (FILE's name with '-dash', in this folder)" },
  },
});
export const { help } = commandLine;

/** Throws an Error if the output folder exists and does not contain a ladder from this command. */
async function checkOutput(directory: string): Promise<void> {
  const status = await stat(directory).catch(() => undefined);
  if (!status) return;
  const files = status.isDirectory() ? await readdir(directory) : ['itself'];
  if (files.length === 0 || (files.includes(SIDECAR_FILE) && files.includes(MANIFEST_FILE))) return;
  throw new Error(`'${directory}' exists and is no ladder; name another folder with --out`);
}

export async function main(args: string[]): Promise<void> {
  const { values, positionals } = commandLine.parse(args);
  const [file] = positionals;
  if ((file === undefined) === (values.synthetic !== true)) {
    throw new Error('name a video file or --synthetic (not both); npm run media -- --help says more');
  }
  if (values.small && file !== undefined)
    throw new Error('--small makes a video of its own; give it with --synthetic, without a file');
  const { seconds: wanted_s } = values;
  const directory = resolve(
    values.out ?? `${file === undefined ? 'synthetic' : basename(file, extname(file))}-dash`,
  );
  await checkOutput(directory);

  const ladder = file !== undefined ? FILM_LADDER : values.small ? TEST_LADDER : SYNTHETIC_LADDER;
  const onProgress = progressPrinter();
  let sidecar: QualitySidecar | undefined;
  try {
    const tools = await ensureFfmpeg(onProgress);
    const source =
      file === undefined
        ? (values.small ? smallFilm : syntheticFilm)(wanted_s)
        : await fileSource(file, tools.ffprobe, wanted_s);
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
  console.log(`Serve it with: npm run edge -- --origin ${directory} --port 8081`);
}

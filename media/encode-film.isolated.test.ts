import { open, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readSidecar } from '../src/film/sidecar.ts';
import { buildFolder } from '../system/build-folder.ts';
import { main } from './command.ts';
import { ensureFfmpeg, type Ffmpeg } from './ffmpeg.ts';
import { TEST_LADDER } from './ladder.ts';
import { encodeFilm } from './encode-film.ts';
import { runQuietly } from '../system/run-quietly.ts';
import { joinSegments } from './segments.ts';
import type { QualitySidecar } from './sidecar.ts';
import { syntheticSource } from './sources/synthetic-source.ts';

let folder = '';
let tools: Ffmpeg;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'media-'));
  tools = await ensureFfmpeg();
}, 180_000);
afterAll(() => rm(folder, { recursive: true }));

describe('a ladder of 5 s', () => {
  const ids = ['v300', 'v700', 'v1300', 'v2100', 'v3300'];
  let directory = '';
  let sidecar: QualitySidecar;
  const fractions: number[] = [];
  beforeAll(async () => {
    directory = join(folder, 'ladder');
    const source = syntheticSource({ seconds: 5, width: 160, height: 90, grain: 24 });
    const onProgress = ({ fraction }: { fraction?: number }) => {
      if (fraction !== undefined) fractions.push(fraction);
    };
    const build = async (into: string, signal: AbortSignal): Promise<void> => {
      sidecar = await encodeFilm({ source, ladder: TEST_LADDER, tools, folder: into, signal, onProgress });
    };
    await buildFolder(directory, build, { reuse: false });
  }, 60_000);

  test('has three numbered segments of each representation, and no other files', async () => {
    expect((await readdir(directory)).sort()).toEqual(
      [...ids, 'a96', 'manifest.mpd', 'master.m3u8', 'quality.json'].sort(),
    );
    for (const id of [...ids, 'a96']) {
      expect((await readdir(join(directory, id))).sort()).toEqual([
        '1.m4s',
        '2.m4s',
        '3.m4s',
        'index.m3u8',
        'init.mp4',
      ]);
    }
    expect(sidecar.segment_duration_s).toEqual([2, 2, 1]);
  });

  test('has a sidecar with the sizes of the files, which the player can read', async () => {
    const written: unknown = JSON.parse(await readFile(join(directory, 'quality.json'), 'utf8'));
    expect(written).toEqual(sidecar);
    for (const [id, { segment_bytes }] of Object.entries(readSidecar(written).representations)) {
      const files = [1, 2, 3].map((number) => stat(join(directory, id, `${number}.m4s`)));
      expect(segment_bytes).toEqual((await Promise.all(files)).map(({ size }) => size));
    }
  });

  test('has qualities that rise with the rung', () => {
    const qualities = ids.map((id) => {
      const representation = sidecar.representations[id];
      return representation?.media === 'video' ? representation.segment_ssim_db : [];
    });
    for (const segments of qualities)
      expect(segments.every(Number.isFinite) && segments.length === 3).toBe(true);
    const means = qualities.map((segments) => segments.reduce((sum, db) => sum + db, 0) / 3);
    expect(means).toEqual([...means].sort((a, b) => a - b));
    expect(means[4]).toBeGreaterThan(means[0] ?? Infinity);
  });

  test('has a keyframe where each segment begins', async () => {
    await joinSegments(directory, 'v700', 3, '../v700.mp4');
    const packets = [
      '-v',
      'error',
      '-select_streams',
      'v',
      '-show_entries',
      'packet=pts_time,flags',
      '-of',
      'csv=p=0',
    ];
    const listing = await runQuietly(tools.ffprobe, [...packets, join(folder, 'v700.mp4')]);
    const frames = listing.trim().split('\n');
    expect(frames).toHaveLength(5 * 24);
    const keyframes = frames.filter((line) => line.includes('K')).map((line) => Number(line.split(',')[0]));
    expect(keyframes).toEqual(expect.arrayContaining([0, 2, 4]));
  });

  test('has the measured rates in its manifest', async () => {
    const mpd = await readFile(join(directory, 'manifest.mpd'), 'utf8');
    for (const [id, { bitrate_kbps, segment_bytes }] of Object.entries(sidecar.representations)) {
      expect(mpd).toMatch(new RegExp(`id="${id}" codecs="[\\w.]+" bandwidth="${bitrate_kbps * 1000}"`));
      // Bytes over 5 s, converted to kbit/s.
      const average = (segment_bytes.reduce((sum, size) => sum + size, 0) * 8) / 1000 / 5;
      expect(Math.abs(average / bitrate_kbps - 1)).toBeLessThanOrEqual(0.05);
    }
  });

  test('reported its progress until the end', () => {
    expect(fractions[0]).toBe(0);
    expect(Math.max(...fractions)).toBeLessThanOrEqual(1);
    expect(fractions.at(-1)).toBeGreaterThan(0.7);
  });
});

describe('npm run media with bad input', () => {
  beforeAll(() => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  });
  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => {
    vi.restoreAllMocks();
  });

  const refused = async (args: string[], message: RegExp): Promise<void> => {
    const before = await readdir(folder);
    const failure = await main([...args, '--out', join(folder, 'out')]).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).not.toContain('\n');
    expect(await readdir(folder)).toEqual(before);
  };

  test.each([
    [['missing.mp4'], /'missing.mp4' does not exist/],
    [['package.json'], /'package.json' is not a video/],
    [['edge'], /'edge' is not a file/],
    [[], /name a video file or --synthetic/],
    [['--synthetic', 'film.mp4'], /name a video file or --synthetic/],
    [['film.mp4', '--small'], /--small makes a video of its own/],
    [['one.mp4', 'two.mp4'], /unexpected argument 'two\.mp4'/],
    [['--synthetic', '--seconds', '0'], /--seconds is '0', expected a number above 0/],
    [['--synthetic', '--seconds', 'abc'], /--seconds is 'abc', expected/],
    [['--synthetic', '--seconds', '1e99'], /--seconds is '1e99', expected/],
    [['--synthetic', '--seconds', '-3'], /--seconds is '-3', expected/],
    [['--sintetic'], /unknown option '--sintetic' \(Did you mean --synthetic\?\); .*--help/],
  ])('%j is refused in one line', refused);

  test('does not replace a folder that is not a ladder', async () => {
    await expect(main(['--synthetic', '--out', 'edge'])).rejects.toThrow('exists and is no ladder');
  });

  test('names what to install on a machine without ffmpeg, apt and npm', async () => {
    vi.stubEnv('PATH', '/nonexistent');
    vi.stubEnv('DASHJS_SAMMY_CACHE', join(folder, 'cache'));
    await refused(
      ['--synthetic'],
      /ffmpeg and ffprobe are not on the PATH; install an ffmpeg with libvpx-vp9/,
    );
  });

  test('leaves no partial files for a video with broken frames', async () => {
    const film = join(folder, 'destroyed.mp4');
    const lavfi = ['-f', 'lavfi', '-i', 'testsrc=s=64x48:r=25', '-t', '1'];
    await runQuietly(tools.ffmpeg, [
      '-v',
      'error',
      ...lavfi,
      '-c:v',
      'libvpx-vp9',
      '-movflags',
      '+faststart',
      film,
    ]);
    const bytes = await readFile(film);
    const file = await open(film, 'r+');
    const start = bytes.indexOf('mdat') + 4;
    await file.write(Buffer.alloc(bytes.length - start), 0, undefined, start);
    await file.close();
    await refused([film], /^destroyed cannot be encoded: ffmpeg/);
  });
});

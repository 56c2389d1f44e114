import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { loopSidecar, wholeSegments } from '../../media/looped-film.ts';
import type { Sidecar } from '../../src/film/sidecar.ts';
import { armNamed } from '../arms/index.ts';
import { cellularTraces, parseTrace } from '../links/traces.ts';
import { constantRate, scheduledRate, tracedRate, type LinkBytes } from './rates.ts';
import { simulateSession } from './session.ts';

/**
 * A table of sessions in the simulator: `node --import tsx emulation/simulator/main.ts [--arms A,B]`. Arms in which
 * dash.js chooses the rungs are not for it, since it has only the plug-in's own core.
 */
interface Network {
  readonly name: string;
  readonly link: LinkBytes;
  readonly rtt_ms: number;
  readonly seconds: number;
}

/** quality.json tells more than a sidecar must. */
interface FilmDocument extends Sidecar {
  readonly representations: Readonly<
    Record<
      string,
      Sidecar['representations'][string] & { readonly media: string; readonly bitrate_kbps: number }
    >
  >;
}

/** Longer than any session here, in minutes of the film. */
const TIMES = 10;

const constant = (mbps: number, seconds = 60): Network => ({
  name: `${mbps} Mbit/s`,
  link: constantRate(mbps),
  rtt_ms: 5,
  seconds,
});

/** 40 Mbit/s, but for some time from 40 s on. */
const drop = (mbps: number, length_s: number): Network => ({
  name: `40, for ${length_s} s ${mbps} Mbit/s`,
  link: scheduledRate([
    { seconds: 40, mbps: 40 },
    { seconds: length_s, mbps },
    { seconds: 80 - length_s, mbps: 40 },
  ]),
  rtt_ms: 20,
  seconds: 120,
});

async function networks(): Promise<Network[]> {
  const traces = await cellularTraces();
  return [
    ...[3.5, 5, 8, 12, 20, 40, 100].map((mbps) => constant(mbps)),
    constant(40, 300),
    drop(5, 20),
    drop(3, 20),
    drop(1, 10),
    drop(1, 20),
    ...(await Promise.all(
      traces.map(async ({ name, downlink }): Promise<Network> => {
        const link = tracedRate(parseTrace(await readFile(downlink, 'utf8'), name));
        return { name, link, rtt_ms: 44, seconds: 120 };
      }),
    )),
  ];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { arms: { type: 'string', default: 'initial-only,sammy,sammy-smooth' } },
  });
  const arms = values.arms.split(',').map(armNamed);
  const stock = arms.find(({ sammy }) => sammy.abr === 'player');
  if (stock) throw new Error(`in arm ${stock.name} dash.js chooses the rungs, which the simulator has not`);
  const { directory } = await ensureDefaultContent();
  const document = JSON.parse(await readFile(join(directory, 'quality.json'), 'utf8')) as FilmDocument;
  const film = loopSidecar(document, wholeSegments(document), TIMES);
  const video = Object.entries(document.representations).filter(([, { media }]) => media === 'video');
  const bitrates_kbps = Object.fromEntries(video.map(([id, { bitrate_kbps }]) => [id, bitrate_kbps]));

  const fixed = (digits: number) => (value: number | null) => value?.toFixed(digits) ?? '-';
  for (const { name, link, rtt_ms, seconds } of await networks()) {
    console.log(`${name}, ${seconds} s`);
    const rows = arms.map(({ name: arm, sammy }) => {
      const { summary, leastBuffer_s } = simulateSession({
        options: sammy,
        film,
        bitrates_kbps,
        link,
        rtt_ms,
        seconds,
      });
      return {
        arm,
        chunk_throughput_kbps: fixed(0)(summary.chunk_throughput_kbps),
        mean_bitrate_kbps: fixed(0)(summary.mean_bitrate_kbps),
        mean_ssim_db: fixed(2)(summary.mean_ssim_db),
        rebuffer_ratio: fixed(4)(summary.rebuffer_ratio),
        switches: summary.switches,
        least_buffer_s: fixed(1)(leastBuffer_s),
      };
    });
    console.table(rows);
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});

import { spawn } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadYieldControl } from '../../edge/local/kernel/bpf/yield-control.ts';
import type { Play, Played } from '../../emulation/player/records/play.ts';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { withoutUndefined } from '../../src/records.ts';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { list, parseChoices, wholeNumber } from '../../system/command-line/parsers.ts';
import { undoAtEndingSignal } from '../../system/ending-signals.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { firstLine } from './first-line.ts';
import { SERVER_ADDRESS, withBottleneck, type BottleneckOptions } from './bottleneck-link.ts';
import { inNamespace } from '../veth-link.ts';

interface World extends BottleneckOptions {
  readonly neighbor: boolean;
}

/** Other downloads at the same time: 100 MB as fast as possible, or by a deadline. */
const DOWNLOAD_BYTES = 100_000_000;
const DOWNLOADS: Readonly<Record<string, number | null>> = {
  'no download': null,
  fetch: 0,
  pacedFetch: 100,
};

/** The networks by their names in the table. */
const WORLDS: Readonly<Record<string, World>> = {
  neighbor: { rate_kbps: 40_000, queue_bytes: 100_000, neighbor: true },
  slow: { rate_kbps: 2500, queue_bytes: 60_000, neighbor: false },
  'slow-neighbor': { rate_kbps: 5000, queue_bytes: 60_000, neighbor: true },
  lossy: { rate_kbps: 40_000, queue_bytes: 100_000, loss: 0.01, neighbor: false },
};

/** Arms of the lab; all play against the same edge. The last three answer congestion within a segment, each in another way. */
const ARMS = [
  'careful-unpaced',
  'sammy-careful',
  'sammy-smooth',
  'sammy-again',
  'sammy-tiny',
  'sammy-loop',
] as const;

/** The neighbor is not measured in the last seconds of the session. */
const END_S = 5;
const NEIGHBOR_PORT = '5300';

const script = (name: string): string[] => ['--import', 'tsx', fileURLToPath(new URL(name, import.meta.url))];

/** A name in place of an arm: the neighbor alone. */
const NOBODY = 'nobody';

interface Outcome {
  readonly neighbor_kbps: number | null;
  /** Null where nobody plays. */
  readonly played: Pick<Played, 'summary' | 'decisions' | 'errors'> | null;
}

interface Asked {
  readonly seconds: number;
  readonly settle: number;
  /** The buffer level up to which the player downloads, s; its own if undefined. */
  readonly buffer: number | undefined;
}

const USUAL = { seconds: 60, settle: 10, runs: 1 };

const commandLine = defineCommandLine({
  command: 'npm run bench -- loop',
  about:
    'dash.js in a page without a browser, against the Node edge that yields (--yield), over a bottleneck between network namespaces: the throughput of a bulk Reno flow beside it, and what the viewer has. Needs root, clang and bpftool.',
  options: {
    seconds: { valueName: 'S', about: `of each session (${USUAL.seconds})`, parse: wholeNumber(1) },
    settle: {
      valueName: 'S',
      about: `after which the neighbor, which begins with the session, is measured (${USUAL.settle})`,
      parse: wholeNumber(0),
    },
    runs: { valueName: 'N', about: `of all (${USUAL.runs})`, parse: wholeNumber(1) },
    worlds: { valueName: 'A,B', about: `(${Object.keys(WORLDS).join()})`, parse: parseChoices(WORLDS) },
    arms: {
      valueName: 'A,B',
      about: `(${ARMS.join()}), or ${NOBODY}: the neighbor alone`,
      parse: list,
    },
    buffer: {
      valueName: 'S',
      about: 'buffer level up to which the player downloads (its own)',
      parse: wholeNumber(1),
    },
    downloads: {
      about: 'instead: stock dash.js beside a download of 100 MB: at once, and by pacedFetch',
    },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { values } = commandLine.parse(args);
  const { seconds, settle, runs } = { ...USUAL, ...withoutUndefined(values) };
  const { worlds = Object.keys(WORLDS), arms = ARMS, buffer } = values;
  if (seconds <= settle + END_S)
    throw new Error(
      `bench loop: --seconds ${seconds} leaves nothing after --settle ${settle} and ${END_S} s`,
    );
  const control = await loadYieldControl();
  if ('lack' in control) throw new Error(`bench loop: ${control.lack}`);
  const takeBack = undoAtEndingSignal(() => control.unload());
  try {
    const film = await ensureDefaultContent();
    if (values.downloads) {
      await playBesideDownloads(film.directory, control.name, seconds);
      return;
    }
    console.log(
      'world | arm | neighbor Mbit/s | viewer Mbit/s | SSIM dB | bitrate Mbit/s | stalls | stalled | download Mbit/s',
    );
    for (let run = 0; run < runs; run++) {
      for (const name of worlds) {
        const world = WORLDS[name];
        if (!world) continue;
        for (const arm of arms) {
          const asked = { seconds, settle, buffer };
          const outcome = await play(world, arm, film.directory, control.name, asked);
          console.log(resultLine(name, arm, outcome, asked));
        }
      }
    }
  } finally {
    takeBack();
    await control.unload();
  }
}

const play = (
  world: World,
  arm: string,
  film: string,
  yieldControl: string,
  { seconds, settle, buffer }: Asked,
): Promise<Outcome> =>
  withBottleneck(world, async (server, client) => {
    const started: ReturnType<typeof start>[] = [];
    try {
      const edge = start(server, 'edge.ts', film, yieldControl);
      started.push(edge);
      const port = await firstLine(edge);
      const request = makePlay(arm, `http://${SERVER_ADDRESS}:${port}`, seconds, buffer);
      const playing = arm === NOBODY ? undefined : inside(client, 'viewer.ts', JSON.stringify(request));
      let neighbor: Promise<string> | undefined;
      if (world.neighbor) {
        const sender = start(server, 'bulk-sender.ts', SERVER_ADDRESS, NEIGHBOR_PORT, 'reno', '0', '0');
        started.push(sender);
        await firstLine(sender);
        neighbor = inside(
          ...([client, 'count-received.ts', SERVER_ADDRESS, String(settle)] as const),
          ...[String(seconds - settle - END_S), NEIGHBOR_PORT],
        );
      }
      const [played, counted] = await Promise.all([playing, neighbor]);
      const [kbps = null] = counted === undefined ? [] : (JSON.parse(counted) as number[]);
      return {
        neighbor_kbps: kbps,
        played: played === undefined ? null : (JSON.parse(played) as Outcome['played']),
      };
    } finally {
      for (const { stdin } of started) stdin.end();
    }
  });

/** Prints what stock dash.js has beside each way to download. */
async function playBesideDownloads(film: string, yieldControl: string, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-download-'));
  try {
    await writeFile(join(folder, '100.bin'), '');
    await truncate(join(folder, '100.bin'), DOWNLOAD_BYTES);
    console.log('beside | took s | SSIM dB | bitrate Mbit/s | stalls | play delay ms | download Mbit/s');
    for (const [name, deadline_s] of Object.entries(DOWNLOADS)) {
      const line = await withBottleneck(
        { rate_kbps: 20_000, queue_bytes: 100_000 },
        async (server, client) => {
          const edge = start(server, 'edge.ts', film, yieldControl, folder);
          try {
            const port = await firstLine(edge);
            const base = `http://${SERVER_ADDRESS}:${port}`;
            const downloading =
              deadline_s === null
                ? '-'
                : inside(client, 'download.ts', `${base}/download/100.bin`, String(deadline_s));
            const playing = inside(client, 'viewer.ts', JSON.stringify(makePlay('dashjs', base, seconds)));
            const [took, played] = await Promise.all([downloading, playing]);
            const { summary } = JSON.parse(played) as NonNullable<Outcome['played']>;
            const mbps = (kbps: number | null) => (kbps === null ? '-' : (kbps / 1000).toFixed(1));
            return [
              ...[name, took.trim(), summary.mean_ssim_db?.toFixed(2), mbps(summary.mean_bitrate_kbps)],
              ...[
                summary.rebuffer_count,
                summary.play_delay_ms?.toFixed(0),
                mbps(summary.chunk_throughput_kbps),
              ],
            ].join(' | ');
          } finally {
            edge.stdin.end();
          }
        },
      );
      console.log(line);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const makePlay = (arm: string, base: string, seconds: number, buffer?: number): Play => ({
  ...{ arm, sammy: {}, seconds },
  ...(buffer !== undefined && { buffer_s: buffer }),
  ...{ manifest: `${base}/film/manifest.mpd`, sidecar: `${base}/film/quality.json` },
});

function start(namespace: string, name: string, ...words: string[]) {
  const [program, args] = inNamespace(namespace, process.execPath, [...script(name), ...words]);
  return spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** Runs a program of this folder to its end, in a namespace; resolves to its output. */
function inside(namespace: string, name: string, ...words: string[]): Promise<string> {
  const [program, args] = inNamespace(namespace, process.execPath, [...script(name), ...words]);
  return runQuietly(program, args);
}

function resultLine(world: string, arm: string, { neighbor_kbps, played }: Outcome, asked: Asked): string {
  const mbps = (kbps: number | null) => (kbps === null ? '-' : (kbps / 1000).toFixed(2));
  const begun = [world, arm, mbps(neighbor_kbps)];
  if (!played) return begun.join(' | ');
  const { summary, errors } = played;
  return [
    ...[...begun, mbps(arrivedIn(played, asked)), summary.mean_ssim_db?.toFixed(2) ?? '-'],
    ...[mbps(summary.mean_bitrate_kbps), summary.rebuffer_count, summary.rebuffer_ratio?.toFixed(4) ?? '-'],
    ...[mbps(summary.chunk_throughput_kbps), errors.join(' ')],
  ].join(' | ');
}

/** Segments that arrived while the neighbor was measured, kbit/s. */
function arrivedIn({ decisions }: NonNullable<Outcome['played']>, { seconds, settle }: Asked): number {
  const [from_ms, to_ms] = [settle * 1000, (seconds - END_S) * 1000];
  const bits = decisions.map(({ at_ms, download_ms, size_bytes }) => {
    const inside_ms = Math.min(to_ms, at_ms + download_ms) - Math.max(from_ms, at_ms);
    return inside_ms > 0 ? (8 * size_bytes * inside_ms) / download_ms : 0;
  });
  return bits.reduce((sum, each) => sum + each, 0) / (to_ms - from_ms);
}

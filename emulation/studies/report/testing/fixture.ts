import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SessionRecorder } from '../../../../src/session/summary.ts';
import type { SessionSettings } from '../../../player/records/session-settings.ts';
import type { Measured } from '../../../player/records/metrics.ts';
import type { RunRecord } from '../../../player/records/run-record.ts';
import { PAPER_LINK } from '../../../network/links/link.ts';
import { listCells, type Cell } from '../../../player/records/cells.ts';
import type { SessionManifest } from '../../../player/records/session-manifest.ts';
import { seededRandom, type Random } from '../../../ground/statistics/random.ts';

/**
 * Writes folders of runs like those of the lab, for tests. They come from a simple model of a player that fetches 4 s
 * segments of 3.3 Mbit/s as fast as the link allows; after 3 s of playback, paced arms fetch at a multiple of that
 * bitrate.
 */
const TOP_MBPS = 3.3;
const SEGMENT_S = 4;
const TARGET_S = 30;
const STEP_S = 0.1;

/** The pace of each arm as a multiple of the top bitrate; other arms are not paced. */
const MULTIPLES: Readonly<Record<string, number>> = {
  'dashjs-rtp': 0.9,
  'prototype-2023': 1.7,
  'naive-4x': 4,
  sammy: 3,
  'sammy-smooth': 1.3,
};

export const fixtureExperiment: SessionSettings = {
  name: 'single',
  about: 'One session alone on the link of the paper',
  figure: 'Sammy Figure 7',
  arms: ['dashjs', 'sammy-paper'],
  runs: 10,
  seconds: 60,
  link: PAPER_LINK,
  congestionControl: 'reno',
};

export interface FixtureOptions {
  /** The number of finished runs of each cell; all if not given. */
  readonly finished?: number;
  /** Whether the link has a switch that reports its queue. */
  readonly switchQueue?: boolean;
  readonly manifest?: Partial<SessionManifest>;
}

/** Fills `outDir` as a finished or interrupted experiment does. */
export function writeFixture(
  outDir: string,
  experiment: SessionSettings,
  options: FixtureOptions = {},
): void {
  const { finished = experiment.runs, switchQueue = false } = options;
  const random = seededRandom(7);
  mkdirSync(outDir, { recursive: true });
  for (const cell of listCells(experiment)) {
    for (let k = 1; k <= finished; k++) writeRun(outDir, experiment, cell, k, random, switchQueue);
  }
  const manifest: SessionManifest = {
    command: `npm run lab -- run ${experiment.name} --runs ${experiment.runs} --seed 1`,
    commit: '0123456789abcdef0123456789abcdef01234567',
    versions: { node: '20.20.0', 'dash.js': '5.2.1', Chromium: '156.0', mahimahi: '0.98' },
    kernel: 'Linux 6.18',
    seed: 1,
    units: {},
    started: '2026-02-03T14:05:00.000Z',
    ...(finished === experiment.runs && { ended: '2026-02-03T14:31:00.000Z' }),
    place: { backend: 'chromium', link: experiment.switch ?? 'mahimahi', clock: 'real' },
    experiment,
    plan: [],
    removed: [],
    ...options.manifest,
  };
  writeFileSync(join(outDir, 'manifest.json'), JSON.stringify(manifest));
}

function writeRun(
  outDir: string,
  experiment: SessionSettings,
  cell: Cell,
  k: number,
  random: Random,
  switchQueue: boolean,
): void {
  const folder = join(outDir, 'runs', cell.name, String(k));
  const session = inventSession(experiment, cell, k, random);
  const { rate, rtt_ms } = cell.condition?.link ?? experiment.link;
  const record: RunRecord = {
    arm: cell.arm,
    ...(cell.condition && { condition: cell.condition.name }),
    k,
    started: '2026-02-03T14:05:00.000Z',
    seconds: experiment.seconds,
    machine_busy_pct: 15 + 5 * random(),
    tcp_records_lost: 0,
    warnings: [],
    calibration: {
      valid: true,
      rtt_ms: rtt_ms + 0.2 + random() * 0.3,
      expected_rtt_ms: rtt_ms,
      rate_mbps: rate.kind === 'constant' ? rate.mbps * (0.985 + 0.01 * random()) : null,
      expected_rate_mbps: rate.kind === 'constant' ? rate.mbps : null,
    },
    summary: {
      ...new SessionRecorder().summary(),
      play_delay_ms: session.metrics.play_delay_ms ?? null,
      mean_bitrate_kbps: 3210,
      initial_bitrate_kbps: 3100,
      mean_ssim_db: 15.6,
      initial_ssim_db: 15.2,
      ssim_variation_db: 0.4,
      switches: 2,
      chunk_throughput_kbps: session.metrics.chunk_throughput_kbps ?? null,
      rtt_median_ms: session.metrics.rtt_median_ms ?? null,
      retransmit_pct: 0,
      played_s: experiment.seconds,
      segments: Math.floor(experiment.seconds / SEGMENT_S),
      pacing_honored: 'unknown',
    },
    metrics: session.metrics,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'session.json'), JSON.stringify(record));
  writeCsv(join(folder, 'buffer.csv'), 't_s,buffer_s', session.buffer);
  writeCsv(
    join(folder, 'link.csv'),
    't_s,departed_bytes,dropped_packets,queue_delay_ms,queue_bytes',
    session.link,
  );
  writeCsv(join(folder, 'tcp.csv'), 't_s,flow,srtt_ms,cwnd_packets,ssthresh_packets', session.tcp);
  if (switchQueue) writeCsv(join(folder, 'queue.csv'), 't_s,depth_packets,depth_bytes', session.queue);
}

type Rows = (number | string)[][];

const writeCsv = (file: string, header: string, rows: Rows): void =>
  writeFileSync(file, `${[header, ...rows.map((row) => row.join(','))].join('\n')}\n`);

function inventSession(experiment: SessionSettings, { arm, condition }: Cell, k: number, random: Random) {
  const { rate, rtt_ms } = condition?.link ?? experiment.link;
  const capacity = (rate.kind === 'constant' ? rate.mbps : 6 + 6 * random()) * 0.93;
  const multiple = (MULTIPLES[arm] && condition?.sammy?.c0) ?? MULTIPLES[arm] ?? Infinity;
  const playDelay_s = 0.16 + 0.5 / capacity + 0.03 * random();
  const full_ms = rtt_ms + 5 + 10 * Math.min(1, 40 / capacity);
  const bitrate = Math.min(TOP_MBPS, capacity * 0.7, multiple < 1 ? 2.2 : TOP_MBPS);
  let [buffer, left, busy_s, sent_Mbit] = [0, 0, 0, 0];
  const [bufferRows, link, tcp, queue]: [Rows, Rows, Rows, Rows] = [[], [], [], []];
  const rtts: number[] = [];
  for (let step = 0; step * STEP_S < experiment.seconds; step++) {
    const t = step * STEP_S;
    const playing = t > Math.max(playDelay_s, 3);
    const speed = Math.min(capacity, playing ? multiple * TOP_MBPS : Infinity) * (0.97 + 0.05 * random());
    if (left <= 0 && buffer < TARGET_S) left = bitrate * SEGMENT_S;
    const moved = Math.min(left, speed * STEP_S);
    const rtt = moved > 0 && speed > 0.9 * capacity ? full_ms * (0.8 + 0.2 * random()) : rtt_ms + random();
    if (moved > 0) {
      busy_s += moved / speed;
      sent_Mbit += moved;
      left -= moved;
      buffer += moved / bitrate;
      for (let row = 0; row < 5; row++) {
        tcp.push([(t + row * 0.02).toFixed(3), 'a', (rtt + random() * 0.2).toFixed(3), 40, 30]);
      }
      rtts.push(rtt);
    }
    if (t > playDelay_s) buffer = Math.max(0, buffer - STEP_S);
    const depth = Math.round(((rtt - rtt_ms) * capacity) / 12);
    link.push([
      t.toFixed(1),
      Math.round((moved * 1e6) / 8),
      0,
      moved > 0 ? (rtt - rtt_ms).toFixed(2) : '',
      0,
    ]);
    queue.push([t.toFixed(1), depth, depth * 1500]);
    bufferRows.push([t.toFixed(2), buffer.toFixed(2)]);
  }
  rtts.sort((a, b) => a - b);
  const rtt = rtts[Math.floor(rtts.length / 2)] ?? rtt_ms;
  const slow = capacity > 0.6 * multiple * TOP_MBPS;
  const metrics: Measured = {
    chunk_throughput_kbps: (sent_Mbit / busy_s) * 1000,
    rtt_median_ms: rtt,
    rtt_above_base_ms: rtt - rtt_ms,
    retransmit_pct: slow ? 0.02 * random() + 0.003 * (condition?.burst_packets ?? 0) : 0.3 + 0.1 * random(),
    playing_retransmit_bytes: slow ? 0 : Math.round(200_000 * random()),
    queue_delay_mean_ms: (rtt - rtt_ms) * 0.7 + 0.02 * (condition?.burst_packets ?? 0),
    play_delay_ms: playDelay_s * 1000,
    rebuffer_count: multiple < 1 ? 1 : 0,
    rebuffer_ratio: multiple < 1 ? 0.004 * random() : 0,
    mean_bitrate_kbps: bitrate * (970 + 10 * random()),
    initial_bitrate_kbps:
      bitrate * (930 + 20 * random()) * (condition?.history?.begins_kbps === null ? 1 - 0.1 / k : 1),
    mean_ssim_db: 15.5 + Math.log(bitrate / TOP_MBPS) + 0.05 * random() - (multiple < 1.4 ? 0.1 : 0),
    initial_ssim_db: 15.1 + Math.log(bitrate / TOP_MBPS) + 0.1 * random(),
    switches: Math.round(1 + 2 * random()),
    least_buffer_s: multiple < 1 ? 2 : 14 + random(),
    ...neighbor(experiment, slow, random),
  };
  return { metrics, buffer: bufferRows, link, tcp, queue };
}

function neighbor({ neighbor: name }: SessionSettings, friendly: boolean, random: Random): Measured {
  const noise = 0.97 + 0.06 * random();
  switch (name) {
    case 'udp':
      return {
        udp_owd_ms: (friendly ? 3.2 : 5.8) * noise,
        udp_owd_inflight_ms: (friendly ? 3.2 : 7.1) * noise,
        udp_owd_p95_ms: (friendly ? 4 : 16) * noise,
      };
    case 'tcp':
      return {
        tcp_throughput_mbps: (friendly ? 31 : 29) * noise,
        tcp_throughput_inflight_mbps: (friendly ? 29 : 19) * noise,
      };
    case 'http':
      return {
        http_response_ms: (friendly ? 790 : 900) * noise,
        http_response_inflight_ms: (friendly ? 850 : 1180) * noise,
      };
    case 'video':
      return {
        neighbor_play_delay_ms: (friendly ? 240 : 270) * noise,
        neighbor_play_delay_inflight_ms: (friendly ? 240 : 290) * noise,
      };
    default:
      return {};
  }
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CompletedDecision } from '../../../src/index.ts';
import { kbps, milliseconds } from '../../../src/units.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { fixtureExperiment, writeFixture } from '../report/testing/fixture.ts';
import { record } from '../report/testing/records.ts';
import { constantRate } from '../../network/virtual/rounds/rates.ts';
import { simulateSession } from '../../player/model/session.ts';
import type { PlaybackEvent, Played } from '../../player/records/play.ts';
import { writeRun } from '../../player/real-time/write-run.ts';
import { createLadder } from '../../../src/testing/session.ts';
import { bufferRows } from './buffer-rows.ts';
import { main } from '../../cli/command.ts';
import { exportSessions } from './export-sessions.ts';
import type { ExportedSession } from './exported-session.ts';
import { ParquetTable } from './parquet-table.ts';
import { rebufferedUntil, analyzePlayback } from './stalls.ts';
import { videoRows } from './video-rows.ts';
import { writeTables } from './write-tables.ts';

const PYTHON_TIMEOUT_MS = 240_000;
const python = await ensurePython(() => undefined).catch((error: unknown) => {
  console.error(`DuckDB's test of the export is skipped: ${String(error)}`);
  return undefined;
});

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const moment = (t_s: number, event: PlaybackEvent['event'], buffer_s = 0): PlaybackEvent => ({
  t_s,
  event,
  buffer_s,
});

/** Playback begins at 1.5 s, stalls for 0.5 s at 5 s, waits for 50 ms at 8 s, and stalls at 9.75 s until the end. */
const PLAYBACK = [
  moment(1.5, 'playing', 3.5),
  moment(5, 'waiting', 0.02),
  moment(5.5, 'playing', 2),
  moment(8, 'waiting'),
  moment(8.05, 'playing'),
  moment(9.75, 'waiting'),
];

const requested: CompletedDecision = {
  sequence: 0,
  at_ms: 400,
  media_type: 'video',
  phase: 'initial',
  representation: 'v2',
  bitrate_kbps: 1000,
  top_bitrate_kbps: 3300,
  segment_start_s: 4,
  segment_duration_s: 4,
  buffer_s: 1.25,
  playback_rate: 1,
  low_latency: false,
  estimate_kbps: null,
  abr_reason: 'player',
  requested_kbps: null,
  pace_reason: 'initial',
  multiplier: null,
  bound_kbps: null,
  outcome: 'completed',
  size_bytes: 500_000,
  download_ms: 800.5,
  achieved_kbps: 5000,
  pace_limited: false,
  pacing_honored: 'unknown',
};

const session = (more: Partial<ExportedSession> = {}): ExportedSession => ({
  session_id: 'traces@then/sammy-paper/1',
  expt_id: 2,
  channel: 'film',
  arm: 'sammy-paper',
  condition: 'slow',
  began_ms: 1_767_323_045_000,
  seconds: 10,
  decisions: [],
  buffer: [
    { t_s: 0.25, value: 0 },
    { t_s: 1.25, value: 4 },
    { t_s: 10.25, value: 1 },
  ],
  playback: PLAYBACK,
  ...more,
});

describe('the playback events of a session', () => {
  it('have a start and the stalls of at least 100 ms, by hand', () => {
    const story = analyzePlayback(PLAYBACK, 10);
    expect(story).toEqual({
      startup_s: 1.5,
      stalls: [
        { from_s: 5, to_s: 5.5, ended: true },
        { from_s: 9.75, to_s: 10, ended: false },
      ],
    });
    expect([1, 1.5, 4, 5.25, 9, 9.875].map((t_s) => rebufferedUntil(story, t_s))).toEqual([
      1, 1.5, 1.5, 1.75, 2, 2.125,
    ]);
  });

  it('are one wait if playback never began, and a seek is not a stall', () => {
    expect(rebufferedUntil(analyzePlayback([], 10), 7)).toBe(7);
    const sought = [moment(1, 'playing'), moment(4, 'seeking'), moment(4.1, 'waiting'), moment(6, 'playing')];
    expect(analyzePlayback(sought, 10).stalls).toEqual([]);
  });
});

describe('the rows', () => {
  it('have the units of the open data', () => {
    const receipt = { cwnd_packets: 24, rtt_ms: 11.8, min_rtt_ms: 5.123 };
    const decision: CompletedDecision = {
      ...requested,
      ...receipt,
      tcp_state: 'in_flight_packets=12,delivery_kbps=8000,app_limited=1',
      applied_kbps: 10_000,
      pace_limited: true,
      ssim_db: 10,
      last_receipt: { cwnd_packets: 10, rtt_ms: milliseconds(9), etp_kbps: kbps(800) },
    };
    const { sent, acked } = videoRows(session({ decisions: [decision] }), analyzePlayback(PLAYBACK, 10));
    const stream = { session_id: 'traces@then/sammy-paper/1', index: 0, expt_id: 2, channel: 'film' };
    const ours = { arm: 'sammy-paper', condition: 'slow', sequence: 0 };
    expect(sent).toEqual([
      {
        ...stream,
        time: 1_767_323_045_400_000_000n,
        video_ts: 360_000n,
        format: 'v2',
        size: 500_000,
        ssim_index: 0.9,
        cwnd: 24,
        in_flight: 12,
        min_rtt: 5123,
        rtt: 11_800,
        delivery_rate: 1_000_000n,
        buffer: 1.25,
        cum_rebuf: 0.4,
        ...ours,
        duration: 4,
        outcome: 'completed',
        given_up: null,
        pace: 1_250_000,
        pace_limited: true,
        app_limited: true,
        last_cwnd: 10,
        last_in_flight: null,
        last_min_rtt: null,
        last_rtt: 9000,
        last_delivery_rate: 100_000n,
        last_app_limited: null,
      },
    ]);
    // Requested at 400 ms, the segment arrives 800.5 ms later, at 1.2005 s, which is before the buffer sample at 1.25
    // s.
    expect(acked).toEqual([
      {
        ...stream,
        time: 1_767_323_046_200_500_000n,
        video_ts: 360_000n,
        buffer: 0,
        cum_rebuf: 1.2005,
        ...ours,
      },
    ]);
  });

  it('omit video that was not sent, and acknowledge only complete segments', () => {
    const decisions: CompletedDecision[] = [
      { ...requested, outcome: 'abandoned' },
      { ...requested, sequence: 1, from_cache: true },
      { ...requested, sequence: 2, media_type: 'audio' },
      { ...requested, sequence: 3, outcome: 'failed' },
      { ...requested, sequence: 4, requested_kbps: 8000 },
      // The response arrived at 5000 kbit/s, so a pace of 2000 kbit/s did not limit it.
      { ...requested, sequence: 5, requested_kbps: 2000 },
      { ...requested, sequence: 6, requested_kbps: 8000, pacing_honored: 'no' },
    ];
    const { sent, acked } = videoRows(session({ decisions }), analyzePlayback(PLAYBACK, 10));
    expect(sent.map(({ sequence }) => sequence)).toEqual([0, 3, 4, 5, 6]);
    expect(acked.map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
    // Abandoned at 400 ms + 800.5 ms. A failed request does not count as abandoned.
    expect(sent.map(({ given_up }) => given_up)).toEqual([
      1_767_323_046_200_500_000n,
      ...[null, null, null, null],
    ]);
    // Without a receipt from the edge, the requested pace is used if the measured throughput is consistent with it.
    expect(sent.map(({ pace }) => pace)).toEqual([null, null, 1_000_000, null, null]);
    expect(sent[0]).toMatchObject({ cwnd: null, delivery_rate: null, ssim_index: null, app_limited: null });
  });

  it('of a session of ten hours are complete', () => {
    const table = new ParquetTable(join(folder, 'long.parquet'), { t: 'DOUBLE' });
    table.add(Array.from({ length: 144_000 }, (_, index) => ({ t: index / 4 })));
    expect(table.finish()).toBe(144_000);
  });

  it('have the buffer level every 250 ms and at each event, in order', () => {
    const rows = bufferRows(session(), analyzePlayback(PLAYBACK, 10));
    expect(rows.map(({ event, buffer, cum_rebuf }) => [event, buffer, cum_rebuf])).toEqual([
      ['init', 0, 0],
      ['timer', 0, 0.25],
      ['timer', 4, 1.25],
      ['startup', 3.5, 1.5],
      ['rebuffer', 0.02, 1.5],
      ['play', 2, 2],
      ['rebuffer', 0, 2],
    ]);
    expect(rows[3]?.time).toBe(1_767_323_046_500_000_000n);
  });
});

/** Writes a results folder with two simulated sessions on a link that is initially too slow for the video. */
async function writeSessions(): Promise<Played[]> {
  writeFixture(
    folder,
    { ...fixtureExperiment, runs: 1, seconds: 30 },
    { manifest: { versions: { film: 'Film' } } },
  );
  const played = ['dashjs', 'sammy-paper'].map((arm): Played => {
    const result = simulateSession({
      arm: { sammy: { pacing: arm === 'sammy-paper' } },
      film: {
        sidecar: {
          version: 1,
          segment_duration_s: Array<number>(15).fill(2),
          representations: { '1000': { segment_bytes: Array<number>(15).fill(250_000) } },
        },
        ladders: { video: createLadder([1000]) },
      },
      network: { capacity: constantRate(0.9), rtt_ms: 40, queue_bytes: 50_000 },
      seconds: 30,
    });
    return { ...result, requestedAt_ms: 0, warnings: [], errors: [] };
  });
  for (const [index, arm] of ['dashjs', 'sammy-paper'].entries()) {
    const runFolder = join(folder, 'runs', arm, '1');
    rmSync(runFolder, { recursive: true });
    mkdirSync(runFolder, { recursive: true });
    const run = {
      ...record(arm, 1, {}),
      seconds: 30,
      simulated: true as const,
      started: new Date(0).toISOString(),
    };
    const series = { link: [], queue: undefined, tcp: [], neighbor: undefined };
    const one = played[index];
    if (arm === 'sammy-paper')
      writeFileSync(join(runFolder, 'unpaced.csv'), 'sequence,unpaced_ms\n2,1234.5\n');
    if (one) await writeRun(runFolder, run, one, series);
  }
  return played;
}

describe('lab report --puffer', () => {
  it.skipIf(python === undefined)(
    'writes files that DuckDB reads, with the data of the sessions',
    async () => {
      const played = await writeSessions();
      const log = vi.spyOn(console, 'log').mockReturnValue();
      vi.spyOn(console, 'error').mockReturnValue();
      await main(['report', folder, '--puffer', join(folder, 'out')]);
      expect(log.mock.calls[0]?.[0]).toMatch(
        /out: 2 sessions, video_sent \d+, video_acked \d+, client_buffer \d+, unpaced 1$/,
      );
      vi.restoreAllMocks();
      const tables = [
        'client_buffer.parquet',
        'expt_settings',
        'unpaced.parquet',
        'video_acked.parquet',
        'video_sent.parquet',
      ];
      expect(readdirSync(join(folder, 'out'))).toEqual(tables);
      expect(readFileSync(join(folder, 'out', 'expt_settings'), 'utf8').split('\n')).toEqual([
        '1 {"abr":"dashjs","abr_name":"dashjs","cc":"reno"}',
        '2 {"abr":"sammy-paper","abr_name":"sammy-paper","cc":"reno"}',
        '',
      ]);
      const ask = (query: string): unknown =>
        JSON.parse(
          execFileSync(
            python ?? '',
            ['-c', 'import duckdb, json, sys; print(json.dumps(duckdb.sql(sys.argv[1]).fetchall()))', query],
            { cwd: join(folder, 'out'), env: pythonEnv(), encoding: 'utf8' },
          ),
        );
      // The transmission time equals the download's time, and the sum of stalls equals that of the summary.
      const [first] = played;
      const [chunk] = first?.decisions ?? [];
      expect(
        ask(`SELECT a.time - s.time, s.size, s.rtt, s.last_rtt, epoch_ms(s.time // 1000000)::VARCHAR, s.pace, s.channel
             FROM 'video_sent.parquet' s JOIN 'video_acked.parquet' a USING (session_id, index, sequence)
             WHERE s.arm = 'dashjs' ORDER BY s.sequence LIMIT 1`),
      ).toEqual([
        [
          Math.round((chunk?.at_ms ?? 0) * 1000 + (chunk?.download_ms ?? 0) * 1000) * 1000 -
            Math.round((chunk?.at_ms ?? 0) * 1000) * 1000,
          250_000,
          Math.round((chunk?.rtt_ms ?? NaN) * 1000),
          Math.round((chunk?.last_receipt?.rtt_ms ?? NaN) * 1000),
          expect.stringMatching(/^2000-01-01 01:00:00/),
          null,
          'Film',
        ],
      ]);
      expect(
        ask(`SELECT session_id LIKE '%/sammy-paper/1', index, sequence, unpaced_ms FROM 'unpaced.parquet'`),
      ).toEqual([[true, 0, 2, 1234.5]]);
      const stalled = played.map(({ summary }) => [summary.rebuffer_count]);
      expect(stalled[0]?.[0]).toBeGreaterThan(0);
      expect(
        ask(
          `SELECT count(*) FILTER (event = 'rebuffer') FROM 'client_buffer.parquet' GROUP BY arm ORDER BY arm`,
        ),
      ).toEqual(stalled);
    },
    PYTHON_TIMEOUT_MS,
  );

  it("reports where a trial's tables are, because a trial has no sessions of the lab", () => {
    writeFileSync(join(folder, 'key.json'), '{}');
    writeFileSync(join(folder, 'manifest.json'), '{}');
    expect(() => exportSessions(folder, join(folder, 'out'))).toThrow(
      `${folder} is a trial, whose tables are there already: see docs/lab/trial.md`,
    );
  });

  it('names the session whose record does not fit into a row', () => {
    const decisions = [{ ...requested, segment_start_s: undefined as never }];
    expect(() => writeTables(folder, [session({ decisions })])).toThrow(
      /^session traces@then\/sammy-paper\/1: .*NaN/,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps the previous tables if the disk is full', () => {
    const tables = () =>
      ['client_buffer', 'unpaced', 'video_acked', 'video_sent'].map((name) => [
        name,
        readFileSync(join(folder, `${name}.parquet`)),
      ]);
    const one = session({ decisions: [requested], unpaced: [{ sequence: 0, unpaced_ms: 1 }] });
    writeTables(folder, [one]);
    const before = tables();
    const finish = vi.spyOn(ParquetTable.prototype, 'finish');
    finish
      .mockReturnValueOnce(1)
      .mockReturnValueOnce(1)
      .mockImplementationOnce(() => {
        throw new Error('ENOSPC: no space left on device');
      });
    expect(() => writeTables(folder, [session()])).toThrow(/ENOSPC/);
    finish.mockRestore();
    expect(tables()).toEqual(before);
    expect(readdirSync(folder)).toHaveLength(4);
  });

  it('reports files of an older version, and leaves no partial output', () => {
    writeFixture(folder, { ...fixtureExperiment, runs: 1 });
    expect(() => exportSessions(folder, join(folder, 'out'))).toThrow(/have no playback.csv/);
    writeFileSync(
      join(folder, 'runs', 'sammy-paper', '1', 'playback.csv'),
      't_s,event,buffer_s\n1,playing,2\n',
    );
    writeFileSync(join(folder, 'runs', 'sammy-paper', '1', 'decisions.jsonl'), '{}\n{"at_ms": 1\n');
    expect(() => exportSessions(folder, join(folder, 'out'))).toThrow(/decisions.jsonl: line 2: /);
    expect(readdirSync(join(folder, 'out'))).toEqual([]);
    writeFileSync(join(folder, 'runs', 'sammy-paper', '1', 'decisions.jsonl'), '');
    expect(exportSessions(folder, join(folder, 'out'))).toMatchObject({ sessions: 1, older: ['dashjs/1'] });
    writeFileSync(
      join(folder, 'runs', 'sammy-paper', '1', 'playback.csv'),
      't_s,event,buffer_s\n1,plays,2\n',
    );
    expect(() => exportSessions(folder, join(folder, 'out'))).toThrow(/playback.csv: line 2 is not a time/);
    writeFileSync(
      join(folder, 'runs', 'sammy-paper', '1', 'playback.csv'),
      't_s,event,buffer_s\n1,playing,2\n',
    );
    writeFileSync(
      join(folder, 'runs', 'sammy-paper', '1', 'unpaced.csv'),
      'sequence,unpaced_ms\n1,12\n2,-3\n',
    );
    expect(() => exportSessions(folder, join(folder, 'out'))).toThrow(
      /unpaced.csv: line 3 is not a sequence/,
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { SessionSummary } from '../../../../src/session/summary.ts';
import { CONTROL } from '../treatments.ts';
import { busyBetween, invalidHour, type WatchedHour } from './hour-watch.ts';
import { nominalFilm, nominalOrigin } from './nominal-film.ts';
import type { PlannedSession } from './real-time.ts';
import { makeRows, type Ending } from './make-rows.ts';
import { tcpMetrics } from './tcp-metrics.ts';
import { validity, validityLine } from './validity.ts';

const summary = { chunk_throughput_kbps: 5000, retransmit_pct: 5, rebuffer_count: 0 } as SessionSummary;
const metrics = tcpMetrics({ summary, decisions: [] });
const session = (id: string, at_s: number, seconds: number, counts = true): PlannedSession => ({
  ...{ at_s, seconds, counts, rank: 0, options: CONTROL },
  row: {
    ...{ session_id: id, unit: id, cluster: 'north', arm: 'control', allocation: 0.5 },
    ...{ started_at: '2026-03-02T20:00:00.000Z', window: null, washout: false },
  },
});
const watched = (hour: number, invalid?: string): WatchedHour => ({
  ...{ hour, counts: hour > 0, busy_pct: 50, switch_lateness_p99_ms: 0.1 },
  ...(invalid !== undefined && { invalid }),
});

describe('rows of sessions over TCP', () => {
  const hours = [watched(0), watched(1), watched(2, 'late'), watched(3)];
  const sessions = [
    session('fills the link', 5, 10, false),
    session('ends in time', 21, 18),
    session('is there when it is late', 35, 10),
    session('outlasts it', 38, 30),
    session('comes afterwards', 61, 5),
    session('fails', 62, 5),
  ];
  const endings = sessions.map(({ row }): Ending =>
    row.session_id === 'fails' ? { failure: 'HTTP 500' } : { metrics },
  );
  const result = makeRows(sessions, endings, hours, 20);

  it('omits sessions that failed or overlap an invalid hour, with the reason, and those that only fill the link', () => {
    expect(result.rows.map(({ session_id }) => session_id)).toEqual(['ends in time', 'comes afterwards']);
    expect(result.rows[0]?.metrics).toBe(metrics);
    expect(result.leftOut).toEqual([
      { session_id: 'is there when it is late', reason: 'late' },
      { session_id: 'outlasts it', reason: 'late' },
      { session_id: 'fails', reason: 'HTTP 500' },
    ]);
  });

  it('reports omissions in one line and in validity.json', () => {
    expect(validityLine([{ ...result, hours }])).toBe(
      '2 of 3 hours are valid, 3 of 5 sessions are left out (validity.json); the first: late',
    );
    const run = {
      link: 'north',
      treatment: 'cap',
      design: 'ab',
      world: {} as never,
      days: 1,
      seed: 1,
    } as const;
    expect(validity([run], [{ ...result, hours }])).toEqual([
      { link: 'north', treatment: 'cap', design: 'ab', sessions: 2, left_out: result.leftOut, hours },
    ]);
  });
});

describe('an hour', () => {
  it('is invalid if the machine was busier than 85%, or the switch later than 1 ms', () => {
    expect(invalidHour(85, 1)).toBeUndefined();
    expect(invalidHour(86, 0.1)).toBe('the machine was 86% busy, more than 85%');
    expect(invalidHour(50, 1.5)).toMatch(/^the switch sent packets 1\.50 ms late/);
  });

  it('has the busy share of the ticks that this or another machine had', () => {
    const before = { busy: 1000, idle: 500, stolen: 10 };
    expect(busyBetween(before, { busy: 1060, idle: 530, stolen: 20 })).toBe(60);
    expect(busyBetween({ ...before, stolen: null }, { busy: 1090, idle: 510, stolen: null })).toBe(90);
    expect(busyBetween(before, before)).toBe(0);
  });
});

it('has the minimum RTT that the edge reported, and counts retransmitted bytes', () => {
  const decisions = [
    { min_rtt_ms: 31, size_bytes: 700 },
    { min_rtt_ms: 27, size_bytes: 200 },
    { size_bytes: 50 },
  ] as unknown as Parameters<typeof tcpMetrics>[0]['decisions'];
  // 950 bytes arrived. 5% of the sent bytes were retransmissions, so 1000 bytes were sent.
  expect(tcpMetrics({ summary, decisions })).toMatchObject({
    ...{ min_rtt_ms: 27, bytes_sent: 1000, chunk_throughput_kbps: 5000 },
  });
  expect(metrics).toMatchObject({ min_rtt_ms: null, bytes_sent: 0 });
});

describe('the nominal video', () => {
  const ladder = { bitrates_kbps: [300, 3300], segment_s: 2 };

  it('has segments of the nominal size, and as many as a session needs', () => {
    const { sidecar } = nominalFilm(ladder, 5);
    // 300 kbit/s for 2 s is 75 kB.
    expect(sidecar.representations['300']?.segment_bytes).toEqual([75_000, 75_000, 75_000]);
    expect(sidecar.segment_duration_s).toEqual([2, 2, 2]);
  });

  it('is served in these sizes, and no other file is', async () => {
    const origin = nominalOrigin(ladder);
    const get = async (path: string) => {
      const response = await origin(new Request(`http://edge${path}`));
      return [response.status, (await response.arrayBuffer()).byteLength];
    };
    expect(await get('/film/3300/7.m4s')).toEqual([200, 825_000]);
    expect(await get('/film/300/init.mp4')).toEqual([200, 1000]);
    expect((await get('/film/manifest.mpd'))[0]).toBe(200);
    for (const path of ['/film/301/1.m4s', '/film/300/', '/other/300/1.m4s'])
      expect((await get(path))[0]).toBe(404);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { neighborNamed, neighbors } from './index.ts';
import type { NeighborContext, RunningNeighbor } from './neighbor.ts';
import { INTERVAL_MS } from './udp/udp-packet.ts';
import { startLabProgram, type LabProgram } from '../../ground/programs/program.ts';

const now = () => performance.timeOrigin + performance.now();
const noPage = () => Promise.reject(new Error('there is no browser here'));

/** Runs the neighbor's client on loopback, instead of inside a link. */
function onLoopback(): NeighborContext & { programs: LabProgram[] } {
  const programs: LabProgram[] = [];
  return {
    programs,
    outsideHost: '127.0.0.1',
    startInside(url, args) {
      const program = startLabProgram([], url, args);
      programs.push(program);
      return program;
    },
    openPage: noPage,
    videoPageUrl: '',
    manifestUrl: '',
    now,
  };
}

const running: RunningNeighbor[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const neighbor of running.splice(0)) await neighbor.close();
});

async function start(name: string, context: NeighborContext): Promise<RunningNeighbor> {
  const neighbor = await neighborNamed(name).start(context);
  running.push(neighbor);
  return neighbor;
}

/** A session with chunks in flight all the time. */
const session = (requestedAt_ms: number, seconds: number) => ({
  requestedAt_ms,
  seconds,
  flights: [{ from_s: 0, to_s: seconds }],
});

describe('neighbors', () => {
  it('are looked up by name', () => {
    for (const neighbor of neighbors) expect(neighborNamed(neighbor.name)).toBe(neighbor);
    expect(() => neighborNamed('quic')).toThrow("no neighbor 'quic'; there are udp, tcp, http, video");
  });
});

describe('the UDP neighbor', () => {
  it('measures the delay of every packet', async () => {
    const startedAt_ms = now();
    const neighbor = await start('udp', onLoopback());
    const requestedAt_ms = now();
    // Waits longer than the session, so that all packets that were sent in it have arrived.
    await sleep(1500);
    const { metrics, csv } = await neighbor.finish(session(requestedAt_ms, 1));
    const column = (name: string) => csv.slice(1).map((row) => Number(row[csv[0]?.indexOf(name) ?? 0]));
    const sum = (name: string) => column(name).reduce((total, value) => total + value);
    expect(sum('lost')).toBe(0);
    // 1 s has 509 intervals, but a busy machine delays packets across the session's start and end. No more packets can
    // be received than were sent since the neighbor's start.
    expect(sum('received')).toBeLessThanOrEqual((requestedAt_ms + 1000 - startedAt_ms) / INTERVAL_MS + 1);
    expect(sum('received')).toBeGreaterThan(50);
    expect(Math.min(...column('owd_least_ms').filter((delay) => delay > 0))).toBeGreaterThan(0);
    expect(metrics.udp_owd_ms).toBeGreaterThan(0);
    expect(metrics.udp_owd_inflight_ms).toBe(metrics.udp_owd_ms);
  });

  it('reports that its program inside has ended', async () => {
    const context = onLoopback();
    const neighbor = await start('udp', context);
    await context.programs[0]?.stop();
    await expect(neighbor.finish(session(now(), 0.1))).rejects.toThrow('udp-receiver.ts ended early');
  });
});

describe('the TCP neighbor', () => {
  it('starts ten seconds after playback', async () => {
    const neighbor = await start('tcp', onLoopback());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const requestedAt_ms = now();
    neighbor.playbackStarted();
    vi.advanceTimersByTime(9_999);
    await sleep(50);
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await sleep(1300);
    const { metrics, csv } = await neighbor.finish(session(requestedAt_ms, 1.3));
    expect(Number(csv[1]?.[0])).toBeGreaterThanOrEqual(0.05);
    expect(metrics.tcp_throughput_mbps).toBeGreaterThan(10);
    expect(metrics.tcp_throughput_inflight_mbps).toBeCloseTo(metrics.tcp_throughput_mbps ?? 0, 6);
  });

  it('measures nothing if the session ends earlier', async () => {
    const neighbor = await start('tcp', onLoopback());
    neighbor.playbackStarted();
    const { metrics, csv } = await neighbor.finish(session(now(), 0.1));
    expect(metrics).toEqual({ tcp_throughput_mbps: null, tcp_throughput_inflight_mbps: null });
    expect(csv).toHaveLength(1);
  });
});

describe('the HTTP neighbor', () => {
  it('sends one request after the other from the start of playback on', async () => {
    const neighbor = await start('http', onLoopback());
    await sleep(100);
    const requestedAt_ms = now();
    neighbor.playbackStarted();
    await sleep(1000);
    const { metrics, csv } = await neighbor.finish(session(requestedAt_ms, 1));
    const rows = csv.slice(1).map((row) => row.map(Number));
    expect(rows.length).toBeGreaterThan(1);
    for (const [index, [t_s = 0, response_ms = 0]] of rows.entries()) {
      expect(t_s).toBeGreaterThanOrEqual(0);
      // Each request is sent after the last byte of the previous response.
      expect(t_s + response_ms / 1000).toBeLessThanOrEqual((rows[index + 1]?.[0] ?? Infinity) + 0.002);
    }
    expect(metrics.http_response_ms).toBeGreaterThan(0);
  });
});

describe('a program inside that cannot start', () => {
  it('is reported in one line, and leaves nothing behind', async () => {
    for (const name of ['udp', 'tcp', 'http']) {
      const context = onLoopback();
      const startInside = () =>
        startLabProgram(
          ['nsenter', '--target', '0', '--net'],
          new URL('tcp/tcp-receiver.ts', import.meta.url),
        );
      await expect(neighborNamed(name).start({ ...context, startInside })).rejects.toThrow(
        /^tcp-receiver\.ts ended early: nsenter: .+/,
      );
    }
    await expect(neighborNamed('video').start(onLoopback())).rejects.toThrow('there is no browser here');
  });
});

import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { liveLack } from '../../../p4/switch/live/live-lack.ts';
import { ensureTracefs } from '../../measure/tcp-probe.ts';
import { lineOf } from '../../../system/line-of.ts';
import { measureTraffic } from './measure-traffic.ts';
import { trafficResult } from './traffic-result.ts';
import type { Traffic, TrafficFlow } from './traffic.ts';

const lack =
  liveLack() ??
  (await ensureTracefs().then(
    () => undefined,
    (error: unknown) => lineOf(error),
  ));

const endless: TrafficFlow = {
  congestion_control: 'reno',
  start_s: 0,
  rtt_class: 0,
  bytes: null,
  paced: false,
  ecn: false,
};
const traffic: Traffic = {
  rate_bit_s: 20e6,
  rtt_ms: [20, 80],
  queue: { packets: 30, at: 'mark' },
  flows: [
    { ...endless, ecn: true },
    { ...endless, congestion_control: 'cubic', rtt_class: 1, ecn: true, paced: true },
    { ...endless, bytes: 60_000, start_s: 0.1 },
  ],
  seconds: 4,
  from_s: 0.05,
};

const leftBehind = (): string =>
  execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith(`sammy-${process.pid}-`))
    .join();

describe.skipIf(lack !== undefined)(`flows through the switch${lack ? ` (skipped: ${lack})` : ''}`, () => {
  it('have the round trips, amounts, marks and windows that are theirs, and every frame is accounted for', async () => {
    const measured = await measureTraffic(traffic, new AbortController().signal);
    const { result, series } = trafficResult(traffic, measured);
    const [near, far, short] = result.flows;
    expect(near?.min_rtt_ms).toBeGreaterThanOrEqual(20);
    expect(near?.min_rtt_ms).toBeLessThan(80);
    expect(far?.min_rtt_ms).toBeGreaterThanOrEqual(80);
    expect(near?.marked).toBeGreaterThan(0);
    // Every flow that may be marked is, and what is not ECN-capable never.
    expect(short?.marked).toBe(0);
    // All of its bytes, and the end of the connection, which counts as one.
    expect(measured.after[2]?.acked_bytes).toBe(60_001);
    expect(result.conservation).toMatchObject({ frames_unaccounted: 0, postcards_missing: 0 });
    // Joined by flow and sequence number: a packet is in flight before its ACK, and within its sender's window.
    const joined = series.packets.filter(({ acked_s, window }) => acked_s !== undefined && window);
    expect(joined.length / series.packets.length).toBeGreaterThan(0.5);
    for (const { t_s, acked_s = 0, flow } of joined)
      expect(acked_s - t_s).toBeGreaterThanOrEqual(flow === 1 ? 0.08 : 0.01);
    expect(new Set(series.acks.map(({ flow }) => flow))).toEqual(new Set([0, 1, 2]));
    expect(leftBehind()).toBe('');
  }, 60_000);

  it('say in one line that the kernel refuses a congestion control, and leave nothing behind', async () => {
    const flows = [{ ...endless, congestion_control: 'nosuch' }];
    await expect(measureTraffic({ ...traffic, flows }, new AbortController().signal)).rejects.toThrow(
      /congestion control 'nosuch' is not in this kernel; choose reno/,
    );
    expect(leftBehind()).toBe('');
  }, 60_000);

  it('end early, all 64 of them, and leave nothing behind', async () => {
    const ending = new AbortController();
    const flows = Array.from({ length: 64 }, () => endless);
    const measuring = measureTraffic({ ...traffic, flows, seconds: 60 }, ending.signal);
    setTimeout(() => ending.abort(), 3000);
    await expect(measuring).rejects.toThrow(/abort/);
    expect(leftBehind()).toBe('');
  }, 60_000);
});

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { monotonic } from '../../p4/clock.ts';
import { missingLiveReason } from '../../p4/switch/live/missing-live-reason.ts';
import { ensureTracefs } from '../../emulation/network/measure/tcp-probe.ts';
import { errorLine } from '../../system/error-line.ts';
import { measureTraffic } from './measure-traffic.ts';
import { trafficResult } from './traffic-result.ts';
import type { Traffic, TrafficFlow } from './traffic.ts';

const missingReason =
  missingLiveReason() ??
  (await ensureTracefs().then(
    () => undefined,
    (error: unknown) => errorLine(error),
  ));
const skipped = missingReason === undefined ? '' : ` (skipped: ${missingReason})`;

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

/** Returns a file's content; empty if the file is gone. */
const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/**
 * Waits for an established connection in the network namespace of a process, by its state in /proc/net/tcp
 * (include/net/tcp_states.h).
 */
async function begun(pid: number): Promise<void> {
  const ESTABLISHED = '01';
  const isOne = (row: string) => row.trim().split(/\s+/)[3] === ESTABLISHED;
  const rows = () => ['tcp', 'tcp6'].flatMap((name) => read(`/proc/${pid}/net/${name}`).split('\n'));
  while (!rows().some(isOne)) await sleep(20);
}

/** Waits for a child process of `parent` whose command names `file`. */
async function waitForChild(parent: number, file: string): Promise<number> {
  for (;;) {
    const found = readdirSync('/proc').find(
      (pid) =>
        /^\d+$/.test(pid) &&
        read(`/proc/${pid}/cmdline`).includes(file) &&
        read(`/proc/${pid}/status`).includes(`PPid:\t${parent}\n`),
    );
    if (found !== undefined) return Number(found);
    await sleep(50);
  }
}

describe.skipIf(missingReason !== undefined)(`flows through the switch${skipped}`, () => {
  it('have the configured round trips, amounts, marks and windows, and every frame is accounted for', async () => {
    const measured = await measureTraffic(traffic, new AbortController().signal);
    const { result, series } = trafficResult(traffic, measured);
    const [near, far, short] = result.flows;
    // The minimum round trip includes 0.6 ms for the transmission of a full packet. The packets of the handshake are
    // smaller, so it may be a little less than 20 ms.
    expect(near?.min_rtt_ms).toBeGreaterThanOrEqual(19.4);
    expect(near?.min_rtt_ms).toBeLessThan(80);
    expect(far?.min_rtt_ms).toBeGreaterThanOrEqual(79.4);
    expect(near?.marked).toBeGreaterThan(0);
    // Every ECN-capable flow is marked, and no other flow is.
    expect(short?.marked).toBe(0);
    // All bytes of the flow, plus one for the end of the connection.
    expect(measured.after[2]?.acked_bytes).toBe(60_001);
    expect(result.conservation).toMatchObject({ frames_unaccounted: 0, postcards_missing: 0 });
    // Packets and windows are joined by flow and sequence number. A packet must be in flight before its ACK, and within
    // its sender's window.
    const joined = series.packets.filter(({ acked_s, window }) => acked_s !== undefined && window);
    expect(joined.length / series.packets.length).toBeGreaterThan(0.5);
    for (const { t_s, acked_s = 0, flow } of joined)
      expect(acked_s - t_s).toBeGreaterThanOrEqual(flow === 1 ? 0.079 : 0.01);
    expect(new Set(series.acks.map(({ flow }) => flow))).toEqual(new Set([0, 1, 2]));
    expect(leftBehind()).toBe('');
  }, 60_000);

  it('have all measured the path without a queue if they open before any of them sends', async () => {
    const { after } = await measureTraffic(
      {
        ...{ rate_bit_s: 20e6, rtt_ms: [20], queue: { packets: 200, at: 'tail' } },
        flows: [endless, { ...endless, start_s: 1 }],
        ...{ opened_first: true, seconds: 2, from_s: 1.5 },
      },
      new AbortController().signal,
    );
    // The first flow fills the queue within a second. After its loss, 83 packets stay in the queue, which adds 50 ms to
    // the 20 ms.
    expect(after[1]?.min_rtt_ms).toBeLessThan(40);
    expect(after[1]?.acked_bytes).toBeGreaterThan(0);
  }, 60_000);

  it('continue while the receiving program is suspended, because the kernels keep the clock', async () => {
    const flows = [endless];
    const queue = { packets: 30, at: 'tail' } as const;
    const measuring = measureTraffic(
      { ...traffic, flows, queue, seconds: 4, from_s: 1 },
      new AbortController().signal,
    );
    const receiver = await waitForChild(process.pid, 'receiver.ts');
    await begun(receiver);
    await sleep(1000);
    process.kill(receiver, 'SIGSTOP');
    const stopped_s = monotonic() / 1e9;
    await sleep(500);
    process.kill(receiver, 'SIGCONT');
    const measured = await measuring;
    const acksFrom = (from_s: number) =>
      measured.acks.events.filter(({ t_ms }) => t_ms / 1e3 >= from_s && t_ms / 1e3 < from_s + 0.4).length;
    expect(acksFrom(stopped_s - 0.5)).toBeGreaterThan(20);
    // Every second packet is acknowledged, and every packet after a lost one. With only the timer for delayed ACKs, the
    // rate would be a tenth of this.
    expect(acksFrom(stopped_s + 0.1)).toBeGreaterThan(acksFrom(stopped_s - 0.5) / 3);
  }, 60_000);

  it('report in one line that the kernel refuses a congestion control, and leave nothing behind', async () => {
    const flows = [{ ...endless, congestion_control: 'nosuch' }];
    await expect(measureTraffic({ ...traffic, flows }, new AbortController().signal)).rejects.toThrow(
      /congestion control 'nosuch' is not in this kernel; choose reno/,
    );
    expect(leftBehind()).toBe('');
  }, 60_000);

  it('can be stopped early, even 64 flows, and leave nothing behind', async () => {
    const ending = new AbortController();
    const flows = Array.from({ length: 64 }, () => endless);
    const measuring = measureTraffic({ ...traffic, flows, seconds: 60 }, ending.signal);
    setTimeout(() => ending.abort(), 3000);
    await expect(measuring).rejects.toThrow(/abort/);
    expect(leftBehind()).toBe('');
  }, 60_000);
});

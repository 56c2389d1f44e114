import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import { errorLine } from '../../../system/error-line.ts';
import { ensureTracefs } from '../measure/tcp-probe.ts';
import { depthQuantile } from '../../../buffers/flows/figures/statistics.ts';
import { measureTraffic } from '../../../buffers/traffic/measure-traffic.ts';
import { trafficResult } from '../../../buffers/traffic/traffic-result.ts';
import { loadCongestionControls, removeStaleCongestionControls } from './congestion-controls.ts';

const available = () => readFile('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8');
const quiet = () => undefined;

async function missingBpfReason(): Promise<string | undefined> {
  const missing = missingLiveReason();
  if (missing !== undefined) return missing;
  // Tests install nothing. The lab installs these programs before a run.
  if (!findExecutable('clang') || !findExecutable('bpftool'))
    return 'no clang or no bpftool: apt-get install clang bpftool';
  return ensureTracefs().then(
    () => undefined,
    (error: unknown) => errorLine(error),
  );
}
const missing = await missingBpfReason();
const controls =
  missing === undefined
    ? await loadCongestionControls(['reno', 'scalable', 'vegas', 'nosuch'], quiet)
    : { names: {}, lacking: {}, close: () => Promise.resolve() };
afterAll(() => controls.close());
const unloaded = missing ?? controls.lacking.scalable ?? controls.lacking.vegas;

const RATE_BIT_S = 24e6;
/** Half of the time from a loss at 160 packets to the next: the window grows from 140 by 1/100 × 2000 packets/s. */
const LEAST_GROWTH_S = 0.5;

/**
 * Measures a single flow on a link with a BDP of 40 packets and a queue of 120. The link is slow enough for a busy
 * machine.
 */
async function measureFlow(name: string, seconds: number) {
  const traffic = {
    rate_bit_s: RATE_BIT_S,
    rtt_ms: [20],
    queue: { packets: 120, at: 'tail' as const },
    flows: [
      {
        ...{ congestion_control: controls.names[name] ?? name, start_s: 0, rtt_class: 0, bytes: null },
        ...{ paced: false, ecn: false },
      },
    ],
    seconds,
    from_s: 2,
  };
  const measured = await measureTraffic(traffic, new AbortController().signal);
  const { series, result } = trafficResult(traffic, measured);
  return { acks: series.acks.filter(({ t_s }) => t_s >= 2), result };
}

describe.skipIf(unloaded !== undefined)(
  `congestion controls by BPF${unloaded === undefined ? '' : ` (skipped: ${unloaded})`}`,
  () => {
    it("are available by the kernel's names, and others are listed with a reason", async () => {
      expect(controls.names).toEqual({
        reno: 'reno',
        scalable: `scalable${process.pid}`,
        vegas: `vegas${process.pid}`,
      });
      expect(await available()).toContain(`scalable${process.pid}`);
      expect(controls.lacking.nosuch).toMatch(/^the kernel has .*reno.*, and the lab scalable, vegas$/);
    });

    it('scalable: reduces the window by an eighth at a loss, and grows by one per hundred acknowledged packets', async () => {
      const { acks } = await measureFlow('scalable', 7);
      const pairs = acks.slice(1).map((ack, index) => ({ before: acks[index], ack }));
      // A loss happens at the highest window between two ACKs at which the window is not above the threshold. On a
      // quiet machine, every loss happens at the same window, so the threshold may stay the same. At the end of a
      // recovery, the window may once more exceed the threshold by up to a ninth, for less than a round trip.
      const losses: [window: number, threshold: number][] = [];
      let highest: number | undefined;
      let left_s = 0;
      for (const { t_s, cwnd_packets, ssthresh_packets } of acks) {
        const threshold = ssthresh_packets ?? Infinity;
        if (cwnd_packets > threshold) {
          if (highest !== undefined) highest = Math.max(highest, cwnd_packets);
          continue;
        }
        if (highest !== undefined && t_s - left_s > LEAST_GROWTH_S) losses.push([highest, threshold]);
        highest = cwnd_packets;
        left_s = t_s;
      }
      expect(losses.length).toBeGreaterThan(0);
      for (const [window, threshold] of losses) expect(threshold).toBe(window - Math.floor(window / 8));
      // The acknowledged packets per packet of growth, between losses and from windows of at least 110 packets on.
      const growths: number[] = [];
      let from = acks[0];
      for (const { before, ack } of pairs) {
        if (!from || !before) continue;
        if (ack.ssthresh_packets !== before.ssthresh_packets || ack.cwnd_packets < before.cwnd_packets) {
          from = ack;
          continue;
        }
        const [grown, taken_s] = [ack.cwnd_packets - from.cwnd_packets, ack.t_s - from.t_s];
        if (from.cwnd_packets < 110 || grown < 10) continue;
        growths.push((taken_s * (RATE_BIT_S / 8 / 1514)) / grown);
        from = ack;
      }
      expect(growths.length).toBeGreaterThan(0);
      const middle = growths.toSorted((one, other) => one - other)[Math.floor(growths.length / 2)] ?? 0;
      expect(middle).toBeGreaterThan(70);
      expect(middle).toBeLessThan(150);
    }, 60_000);

    it('vegas: changes the window by one packet at a time, with a nearly empty queue and without losses', async () => {
      const { acks, result } = await measureFlow('vegas', 5);
      expect(result.loss_events.flows).toEqual([]);
      // Excludes times after a retransmission timeout, which happens if a busy machine stops the sender for long. A
      // timeout leaves a window below the threshold, or lowers the threshold, and slow start follows. Vegas itself does
      // neither.
      const slowStartThreshold = ({ ssthresh_packets }: { readonly ssthresh_packets: number | null }) =>
        ssthresh_packets ?? Infinity;
      const steps = acks.slice(1).flatMap(({ cwnd_packets }, index) => {
        const [before, ack] = [acks[index], acks[index + 1]];
        if (!before || !ack || before.cwnd_packets < slowStartThreshold(before)) return [];
        const timedOut =
          cwnd_packets < slowStartThreshold(ack) || slowStartThreshold(ack) < slowStartThreshold(before) - 1;
        return timedOut ? [] : [Math.abs(cwnd_packets - before.cwnd_packets)];
      });
      expect(steps.length).toBeGreaterThan(100);
      expect(Math.max(...steps)).toBeLessThanOrEqual(1);
      // With Reno, the median depth in this setup is above 60, half of the queue's 120 packets.
      expect(depthQuantile(result.depths, 0.5)).toBeLessThanOrEqual(30);
    }, 60_000);

    it('of killed labs are removed at the next start, but not those of running labs', async () => {
      const program = `
        const { loadCongestionControls } = await import(${JSON.stringify(new URL('congestion-controls.ts', import.meta.url).href)});
        await loadCongestionControls(['scalable'], () => undefined);
        console.log('loaded');
        setInterval(() => undefined, 1000);
      `;
      const other = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(other.stdout, 'data');
      const left = `scalable${other.pid}`;
      await removeStaleCongestionControls();
      expect(await available()).toContain(left);
      other.kill('SIGKILL');
      await once(other, 'exit');
      expect(await available()).toContain(left);
      await removeStaleCongestionControls();
      expect(await available()).not.toContain(left);
      expect(await available()).toContain(`scalable${process.pid}`);
    }, 60_000);

    it('are removed at the end', async () => {
      await controls.close();
      expect(await available()).not.toMatch(new RegExp(`(scalable|vegas)${process.pid}\\b`));
    });
  },
);

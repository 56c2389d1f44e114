import { describe, expect, it } from 'vitest';
import { modelFlows } from './model.ts';
import { computeStatistics } from './flow-statistics.ts';
import type { Link } from '../../network/links/link.ts';

const link: Link = { rate: { kind: 'constant', mbps: 12 }, rtt_ms: 40, queue_bytes: 120_000 };
const span = { starts_s: [0], from_s: 4, seconds: 10 };
const statisticsWith = (scheme: string, over: Partial<Link> = {}, seed = 1) =>
  computeStatistics(
    modelFlows({ link: { ...link, ...over }, flows: [{ scheme, start_s: 0 }], seconds: span.seconds, seed }),
    span,
  );

describe('flows in the packet model', () => {
  it('Vegas keeps two to four packets in the queue', () => {
    // The delay is 20 ms one way, 1.009 ms for the packet's transmission, and at most five packets in front of it while
    // Vegas adapts.
    const { throughput_mbps, delay_p95_ms } = statisticsWith('vegas');
    expect(throughput_mbps).toBeGreaterThan(11.7);
    expect(delay_p95_ms).toBeGreaterThan(20 + 2 * 1.009);
    expect(delay_p95_ms).toBeLessThan(20 + 6 * 1.009);
  });

  it('Scalable fills the queue more than Reno, because a loss costs an eighth of its window, not half', () => {
    const of = (scheme: string) => statisticsWith(scheme).delay_mean_ms ?? 0;
    expect(of('scalable')).toBeGreaterThan(of('reno') + 5);
  });

  it('a schedule carries the mean of its steps', () => {
    const steps = [
      { seconds: 0.5, mbps: 4 },
      { seconds: 0.5, mbps: 12 },
    ];
    const { throughput_mbps } = statisticsWith('cubic', { rate: { kind: 'schedule', steps } });
    // The mean rate is 8 Mbit/s of frames of 1514 bytes, of which 1500 bytes count.
    expect(throughput_mbps).toBeGreaterThan(0.97 * 7.926);
    expect(throughput_mbps).toBeLessThanOrEqual(1.01 * 7.926);
  });

  it('loss happens after the queue at the requested rate, and is the same for the same seed', () => {
    const { loss_pct, throughput_mbps } = statisticsWith('reno', { loss: 0.02 });
    expect(loss_pct).toBeGreaterThan(1);
    expect(loss_pct).toBeLessThan(3.2);
    // With 2% loss and 40 ms, Reno is far slower than the link: 1.22 · 1500 · 8 / (0.04 · √0.02) = 2.6 Mbit/s (Mathis).
    expect(throughput_mbps).toBeLessThan(4);
    expect(statisticsWith('reno', { loss: 0.02 })).toEqual(statisticsWith('reno', { loss: 0.02 }));
    expect(statisticsWith('reno', { loss: 0.02 }, 2)).not.toEqual(statisticsWith('reno', { loss: 0.02 }));
  });

  it('a policer passes at most its own rate, and drops packets in front of the queue', () => {
    const policed = { policer: { mbps: 6, burst_bytes: 30_000 } };
    const { throughput_mbps, delay_p95_ms, loss_pct } = statisticsWith('bbr', policed);
    // In 6 s, at most 6 · 6 Mbit and the bucket's 0.24 Mbit pass, of which 1500 of 1514 bytes count.
    expect(throughput_mbps).toBeLessThanOrEqual(((36 + 0.24) / 6) * (1500 / 1514));
    expect(loss_pct).toBeGreaterThan(1);
    // A burst of the bucket's 19 frames of 1.009 ms each waits in the queue, which has room for 79 frames.
    expect(delay_p95_ms).toBeLessThan(20 + 21 * 1.009);
  });

  it('aggregated ACKs cause bursts, which Vegas interprets as a queue', () => {
    const { delay_p95_ms, throughput_mbps } = statisticsWith('vegas', { gather_ms: 15 });
    expect(throughput_mbps).toBeGreaterThan(6);
    // ACKs for 15 ms arrive together and release up to 14 packets, of which the last one waits for the others.
    expect(delay_p95_ms).toBeGreaterThan(20 + 10);
  });

  it('jitter is uniform around the delay, and keeps the order', () => {
    const jittered = { ...link, rate: { kind: 'constant', mbps: 1000 } as const, jitter_ms: 8 };
    // With an RTT of 24 to 56 ms, Vegas is far slower than the link, so that there is no queue, and only the path's
    // delay counts.
    const flows = [{ scheme: 'vegas', start_s: 0 }];
    const { packets } = modelFlows({ link: jittered, flows, seconds: 4, seed: 1 });
    const delays = packets.map(({ delay_ms }) => delay_ms);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(12);
    expect(Math.max(...delays)).toBeLessThanOrEqual(28 + 10);
    expect(Math.max(...delays) - Math.min(...delays)).toBeGreaterThan(14);
    const arrivals = packets.map(({ sent_s, delay_ms }) => sent_s + delay_ms / 1000);
    expect(arrivals.every((at, index) => at >= (arrivals[index - 1] ?? 0) - 1e-9)).toBe(true);
  });

  it('Poisson deliveries have the mean rate', () => {
    const { throughput_mbps } = statisticsWith('cubic', { rate: { kind: 'poisson', mbps: 12 } });
    // The transmission times of 6000 packets are exponential, so four standard errors of the rate are 5%.
    expect(Math.abs(throughput_mbps - 11.889)).toBeLessThan(0.6);
  });
});

import { expect, test } from '@playwright/test';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import type { RunRecord } from '../../../emulation/player/records/run-record.ts';
import { missingLabReason } from '../../../emulation/host/setup/ensure-lab.ts';
import { calibrate } from '../../../emulation/network/links/calibrate.ts';
import { type Link, PAPER_LINK } from '../../../emulation/network/links/link.ts';
import { openShell } from '../../../emulation/network/links/shell.ts';
import { missingNginxReason } from '../../../edge/nginx/module.ts';
import { withLabRuns } from '../../support/lab-runs.ts';

/** Settings for sessions with the test video on the paper's link. */
const SETTINGS = { seconds: 20, link: PAPER_LINK, film: ensureTestContent };

const figure = (record: RunRecord, name: keyof RunRecord['metrics']) => record.metrics[name] ?? NaN;

test.describe('the lab', () => {
  test('Sammy halves the chunk throughput and empties the queue, on a calibrated link in mahimahi', async () => {
    const missing = await missingLabReason();
    // Skipped without mahimahi, root or the kernel's tcp_probe; CI installs mahimahi.
    test.skip(missing !== null, missing ?? '');
    // The test needs time for three sessions, each after as many calibrations as a busy machine needs.
    test.setTimeout(450_000);
    await withLabRuns(SETTINGS, async (run) => {
      const { record: stock } = await run('dashjs', 'node');
      const { record: sammy } = await run('sammy-paper', 'node');

      for (const { calibration } of [stock, sammy]) {
        expect(calibration.rate_mbps ?? 0).toBeGreaterThan(38);
        expect(calibration.rate_mbps ?? 0).toBeLessThan(42);
      }
      const change = (name: keyof RunRecord['metrics']) => figure(sammy, name) / figure(stock, name);
      // Sammy §6 reports -53% for chunk throughput and -47% for the RTT. Here the pace is 2.8 to 3.2 times 3.3 Mbit/s,
      // on a link of 40 Mbit/s.
      expect(change('playing_chunk_throughput_kbps')).toBeLessThan(0.6);
      expect(change('rtt_median_ms')).toBeLessThan(0.85);
      expect(figure(sammy, 'mean_bitrate_kbps')).toBeGreaterThan(0.8 * figure(stock, 'mean_bitrate_kbps'));

      // Run the same core without a browser, over the same link.
      const { record: light } = await run('sammy-paper', 'node', 'light');
      expect(light).toMatchObject({ viewers: 'light', warnings: [], summary: { rebuffer_count: 0 } });
      for (const name of ['mean_bitrate_kbps', 'playing_chunk_throughput_kbps'] as const) {
        expect(figure(light, name)).toBeGreaterThan(0.75 * figure(sammy, name));
        expect(figure(light, name)).toBeLessThan(1.33 * figure(sammy, name));
      }
    });
  });

  test('a session with nginx as its edge is paced and recorded as with our edge', async () => {
    const missing = (await missingLabReason()) ?? (await missingNginxReason());
    // Skipped without mahimahi, root, the kernel's tcp_probe or nginx; CI installs mahimahi and nginx.
    test.skip(missing !== null, missing ?? '');
    test.setTimeout(300_000);
    await withLabRuns(SETTINGS, async (run) => {
      const { record: nginx } = await run('sammy-paper', 'nginx');
      const { edge, summary, warnings } = nginx;
      // The plug-in read the receipts and detected that its paces were honored.
      expect({ edge, pacing: summary.pacing_honored, warnings }).toEqual({
        edge: 'nginx',
        pacing: 'yes',
        warnings: [],
      });
      const top_kbps = figure(nginx, 'mean_bitrate_kbps');
      expect(top_kbps).toBeGreaterThan(0);
      // The pace is 2.8 to 3.2 times the top rung of 3.3 Mbit/s: above the mean bitrate, and far below the link's 40.
      const throughput_kbps = figure(nginx, 'playing_chunk_throughput_kbps');
      expect(throughput_kbps).toBeGreaterThan(top_kbps);
      expect(throughput_kbps).toBeLessThan(20_000);
      expect(figure(nginx, 'retransmit_pct')).toBeGreaterThanOrEqual(0);
      expect(figure(nginx, 'rtt_median_ms')).toBeGreaterThan(5);
    });
  });

  test('a link that begins with an outage and then sporadic packets is calibrated after it has come up', async () => {
    const missing = await missingLabReason();
    // Skipped without mahimahi, root or the kernel's tcp_probe; CI installs mahimahi.
    test.skip(missing !== null, missing ?? '');
    test.setTimeout(120_000);
    const rate: Link['rate'] = {
      kind: 'schedule',
      steps: [
        { seconds: 4, mbps: 0 },
        // A packet every 600 ms, which is six times the RTT.
        { seconds: 12, mbps: 0.02 },
        { seconds: 60, mbps: 3 },
      ],
    };
    const link: Link = { rate, rtt_ms: 100, queue_bytes: 100_000 };
    const shell = await openShell(link);
    try {
      const { valid, reason, rtt_ms } = await calibrate(shell, link);
      expect({ valid, reason }).toEqual({ valid: true, reason: undefined });
      expect(rtt_ms).toBeGreaterThan(99);
    } finally {
      await shell.close();
    }
  });
});

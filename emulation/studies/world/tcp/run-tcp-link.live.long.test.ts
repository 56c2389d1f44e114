import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../../../p4/switch/live/missing-live-reason.ts';
import { inProcess } from '../../../harness/runs/in-process.ts';
import type { LinkRun } from '../link-run.ts';
import { plannedSessions, TCP_WORLD } from './real-time.ts';
import { tcpLinkRun, type TcpLinkSpec } from './link-spec.ts';
import type { LinkResult } from '../results/link-result.ts';
import type { ViewersTask } from './viewers.ts';

const missingReason = missingLiveReason();
const skipped = missingReason === undefined ? '' : ` (skipped: ${missingReason})`;
const HOUR_S = 3;

describe.skipIf(missingReason !== undefined)(`a link of light viewers${skipped}`, () => {
  it('is played in real time over TCP, has a row for every session, and leaves nothing behind', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'world-tcp-'));
    try {
      const run: LinkRun = {
        ...{ world: TCP_WORLD, link: 'north', days: 1, seed: 1, treatment: 'sammy', design: 'ab' },
      };
      const hours = [20, 21].map((hour) => ({ hour, counts: true }));
      const spec: TcpLinkSpec = { run, hours, hour_s: HOUR_S, folder };
      const { signal } = new AbortController();
      const outcome = await inProcess(tcpLinkRun, spec, {
        within_s: 150,
        signal,
      });
      expect(outcome).toEqual({ kind: 'finished' });
      const result = JSON.parse(readFileSync(join(folder, 'link.json'), 'utf8')) as Required<LinkResult>;
      const planned = plannedSessions(run, hours, HOUR_S);
      expect(planned.length).toBeGreaterThan(10);
      // On a busy machine, hours may be invalid. Their sessions are counted as left out, and no session fails for
      // another reason.
      expect(result.rows.length + result.leftOut.length).toBe(planned.length);
      for (const { reason } of result.leftOut) expect(reason).toMatch(/busy|late/);
      expect(result.hours.map(({ hour }) => hour)).toEqual([20, 21]);
      for (const { metrics } of result.rows) {
        // The link's idle RTT is 25 ms, and its rate is 30 Mbit/s.
        expect(metrics.min_rtt_ms ?? 25).toBeGreaterThan(24);
        expect(metrics.chunk_throughput_kbps ?? 0).toBeLessThan(30_000);
      }
      const { manifest } = JSON.parse(readFileSync(join(folder, 'viewers.json'), 'utf8')) as ViewersTask;
      const { hostname } = new URL(manifest);
      expect(hostname).toMatch(/^10\./);
      const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      expect(addresses.map(({ address }) => address)).not.toContain(hostname);
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 180_000);
});

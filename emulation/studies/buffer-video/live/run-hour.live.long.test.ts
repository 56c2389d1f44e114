import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../../../p4/switch/live/missing-live-reason.ts';
import { runStudy } from '../../../harness/runs/run-study.ts';
import { bufferVideo } from '../buffer-video.ts';
import { readHours } from '../run-files.ts';

const missingReason = missingLiveReason();
const skipped = missingReason === undefined ? '' : ` (skipped: ${missingReason})`;

describe.skipIf(missingReason !== undefined)(`an hour of router buffers${skipped}`, () => {
  it('fills the large buffer for up to twice its time, because its queues take turns', async () => {
    const outDir = mkdtempSync(join(tmpdir(), 'buffer-video-live-'));
    try {
      const place = { backend: 'light', link: 'p4', clock: 'real' } as const;
      const asked = { quick: true, hours: 1, seconds: 10, place };
      const made = { outDir, place, command: '', asked, resume: false };
      await expect(runStudy(bufferVideo, made)).resolves.toBe('complete');
      const [{ stacks } = { stacks: [] }] = readHours(outDir, 'site-1-dashjs');
      const [small, large] = stacks;
      expect([small?.buffer_mb, large?.buffer_mb]).toEqual([50, 500]);
      for (const { sessions, queues } of stacks) {
        expect(sessions.length).toBeGreaterThan(5);
        for (const { min_rtt_ms, rtt_ms } of sessions)
          expect(min_rtt_ms ?? rtt_ms).toBeGreaterThan(0.95 * rtt_ms);
        for (const { sent } of queues) expect(sent).toBeGreaterThan(1000);
      }
      // Full buffers of 50 and 500 MB take 4 and 40 ms to drain, and up to 8 and 80 ms if the other queue takes turns.
      expect(small?.queues[0]?.wait_p98_ms).toBeLessThan(12);
      expect(large?.queues[0]?.wait_p98_ms).toBeGreaterThan(20);
      expect(large?.queues[0]?.wait_p98_ms).toBeLessThan(100);
    } finally {
      rmSync(outDir, { recursive: true });
    }
  }, 600_000);
});

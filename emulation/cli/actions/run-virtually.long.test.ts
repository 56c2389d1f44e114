import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findKernel } from '../../host/machine/ensure-kernel.ts';
import { DEFAULT_KERNEL } from '../../host/machine/kernels.ts';
import { main } from './run.ts';

/** docs/results/log/machine.md: the same command on 2026-11-23. */
const CHUNK_THROUGHPUT_KBPS = { dashjs: 36_348, sammy: 9961 };

// Skipped where nobody has built the kernel (`npm run lab -- machine`), which takes minutes.
describe.skipIf(findKernel(DEFAULT_KERNEL) === undefined)('single in a virtual machine', () => {
  const root = mkdtempSync(join(tmpdir(), 'virtually-'));
  afterAll(() => rmSync(root, { recursive: true }));

  it('gives the throughput that it gave before, within 1%, without a stall', async () => {
    const out = join(root, 'out');
    const asked = ['--arms', 'dashjs,sammy', '--runs', '1', '--seconds', '30', '--out', out];
    await main(['single', '--machine', 'virtual', ...asked]);
    for (const [arm, before] of Object.entries(CHUNK_THROUGHPUT_KBPS)) {
      const { metrics } = JSON.parse(readFileSync(join(out, 'runs', arm, '1', 'session.json'), 'utf8')) as {
        metrics: { chunk_throughput_kbps: number; rebuffer_count: number };
      };
      expect(Math.abs(metrics.chunk_throughput_kbps / before - 1)).toBeLessThan(0.01);
      expect(metrics.rebuffer_count).toBe(0);
    }
  }, 900_000);
});

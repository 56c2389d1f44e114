import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findKernel } from '../../host/machine/ensure-kernel.ts';
import { DEFAULT_KERNEL } from '../../host/machine/kernels.ts';
import { readCommit } from '../../harness/runs/provenance.ts';
import { main } from './run.ts';

/** The chunk throughputs that the test's command measured on 2026-11-23 (docs/results/log/machine.md). */
const CHUNK_THROUGHPUT_KBPS = { dashjs: 36_348, 'sammy-paper': 9961 };
const ARMS = Object.keys(CHUNK_THROUGHPUT_KBPS);
const BUSY_LOOPS = 4;

// Skipped if the kernel has not been built (`npm run lab -- machine`), because that takes minutes.
describe.skipIf(findKernel(DEFAULT_KERNEL) === undefined)('single in a virtual machine', () => {
  const root = mkdtempSync(join(tmpdir(), 'virtually-'));
  const loops: { kill: () => unknown }[] = [];
  afterAll(() => {
    for (const loop of loops) loop.kill();
    rmSync(root, { recursive: true });
  });
  const single = async (out: string): Promise<string> => {
    const asked = ['--arms', ARMS.join(','), '--runs', '1', '--seconds', '30', '--out', join(root, out)];
    await main(['single', '--clock', 'virtual', ...asked]);
    return join(root, out, 'runs');
  };
  const listFiles = (run: string): string[] => readdirSync(run).map((file) => join(run, file));
  const readFiles = (run: string): string[] => listFiles(run).map((file) => readFileSync(file, 'base64'));

  it('has the recorded throughput within 1%, without stalls, and is byte-identical when repeated beside four busy loops', async () => {
    const runs = await single('first');
    const manifest = readFileSync(join(root, 'first', 'manifest.json'), 'utf8');
    expect((JSON.parse(manifest) as { commit: string }).commit).toBe(await readCommit());
    for (const [arm, before] of Object.entries(CHUNK_THROUGHPUT_KBPS)) {
      const { metrics } = JSON.parse(readFileSync(join(runs, arm, '1', 'session.json'), 'utf8')) as {
        metrics: { chunk_throughput_kbps: number; rebuffer_count: number };
      };
      expect(Math.abs(metrics.chunk_throughput_kbps / before - 1)).toBeLessThan(0.01);
      expect(metrics.rebuffer_count).toBe(0);
    }
    for (let loop = 0; loop < BUSY_LOOPS; loop++) loops.push(spawn('sh', ['-c', 'while :; do :; done']));
    const again = await single('again');
    for (const arm of ARMS) {
      expect(readFiles(join(runs, arm, '1')).length).toBeGreaterThan(3);
      expect(readFiles(join(again, arm, '1'))).toEqual(readFiles(join(runs, arm, '1')));
    }
  }, 1_800_000);
});

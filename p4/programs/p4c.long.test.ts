import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const absent = spawnSync('p4c', ['--version']).error !== undefined;

test.skipIf(absent)(
  `p4c compiles the bottleneck unchanged${absent ? ' (skipped: no p4c on PATH)' : ''}`,
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'p4c-'));
    try {
      const program = join(import.meta.dirname, 'bottleneck.p4');
      const args = ['--target', 'bmv2', '--arch', 'v1model', '-o', folder, program];
      expect(() => execFileSync('p4c', args, { stdio: 'pipe' })).not.toThrow();
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { installTraces } from './mahimahi.ts';

let empty: string;
beforeEach(() => {
  empty = mkdtempSync(join(tmpdir(), 'no-traces-'));
  vi.stubEnv('MAHIMAHI_TRACES', empty);
  // Without apt-get on the PATH, nothing can be installed.
  vi.stubEnv('PATH', '/nonexistent');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(empty, { recursive: true });
});

it('says what to do without traces, by the options of the command', async () => {
  const ignore = () => undefined;
  await expect(installTraces(ignore)).rejects.toThrow(
    /^mahimahi's traces are missing; .*, or give your own with --traces$/,
  );
  await expect(installTraces(ignore, 'leave out lte')).rejects.toThrow(/, or leave out lte$/);
});

import { afterEach, expect, it, vi } from 'vitest';
import { missingLabReason } from './ensure-lab.ts';

afterEach(() => vi.unstubAllEnvs());

it('requires mahimahi for its own links, but not for those of the P4 switch', async () => {
  // No program is there; who is not root lacks that first.
  vi.stubEnv('PATH', '/nonexistent');
  expect(await missingLabReason(true)).toMatch(/^(root|mahimahi) is missing for the lab /);
  expect(await missingLabReason(false)).toMatch(/^(root|ip) is missing for the lab /);
});

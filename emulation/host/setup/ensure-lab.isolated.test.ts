import { afterEach, expect, it, vi } from 'vitest';
import { missingLabReason } from './ensure-lab.ts';

afterEach(() => vi.unstubAllEnvs());

it('requires mahimahi for mahimahi links, but not for P4 links', async () => {
  // No program can be found on this PATH. If this process is not root, that is reported first.
  vi.stubEnv('PATH', '/nonexistent');
  expect(await missingLabReason(true)).toMatch(/^(root|mahimahi) is missing for the lab /);
  expect(await missingLabReason(false)).toMatch(/^(root|ip) is missing for the lab /);
});

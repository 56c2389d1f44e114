import { afterEach, expect, it, vi } from 'vitest';
import { buildTransport } from './build.ts';

afterEach(() => vi.unstubAllEnvs());

it('reports in one line what to install if cargo is missing', async () => {
  vi.stubEnv('PATH', '');
  await expect(buildTransport(() => undefined)).rejects.toThrow(
    'cargo is not on the PATH, and transport/ is in Rust; install Rust 1.88 or newer, then run it again',
  );
});

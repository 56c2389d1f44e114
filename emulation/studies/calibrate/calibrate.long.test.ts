import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { errorLine } from '../../../system/error-line.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { Optuna } from '../../ground/programs/optuna.ts';
import type { Emulator } from './emulator.ts';
import { ALL_PARAMETERS, runEmulator, fit } from './fit.ts';

const python = await ensurePython(() => undefined, ['search']).catch((error: unknown) => {
  console.error(`skipped: ${errorLine(error)}`);
  return null;
});
const folder = mkdtempSync(join(tmpdir(), 'calibrate-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.skipIf(python === null)(
  'replicates a path that is an emulator within 10%, and much worse without its delay',
  async () => {
    const truth: Emulator = { mbps: 10, delay_ms: 25, queue_bytes: 80_000, loss: 0.001, service: 'constant' };
    const scenario = { schemes: ['reno', 'bbr', 'vegas'], seconds: 8, from_s: 2 };
    const path = await runEmulator(truth, scenario, [1, 2, 3]);
    const optuna = new Optuna({ python: python ?? '', env: pythonEnv() });
    try {
      const fitting = {
        ...{ optuna, scenario, path, trials: 40, seed: 1, storage: join(folder, 'search.db') },
        bounds: {
          most_mbps: Math.max(...Object.values(path).map(({ throughput_mbps }) => throughput_mbps)),
          least_delay_ms: truth.delay_ms + (1514 * 8) / 10_000,
          most_delay_ms: Math.max(...Object.values(path).map(({ delay_p95_ms }) => delay_p95_ms)),
        },
      };
      const { schemes } = scenario;
      const kind = { service: 'constant', schemes } as const;
      const whole = await fit(fitting, { ...kind, name: 'whole', parameters: ALL_PARAMETERS });
      const rate = await fit(fitting, { ...kind, name: 'rate', parameters: ['mbps'] });
      expect(whole.error_pct).toBeLessThan(10);
      expect(rate.error_pct).toBeGreaterThan(3 * whole.error_pct);
    } finally {
      optuna.close();
    }
  },
  600_000,
);

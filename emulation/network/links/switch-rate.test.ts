import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { switchRates } from './switch-rate.ts';

it('applies a schedule to the downlink, and its highest rate to the uplink', async () => {
  const steps = [
    { seconds: 30, mbps: 40 },
    { seconds: 10, mbps: 4 },
  ];
  expect(await switchRates({ kind: 'schedule', steps })).toEqual({
    downlink: {
      settings: {
        rate_schedule: [
          { seconds: 30, bit_s: 40e6 },
          { seconds: 10, bit_s: 4e6 },
        ],
      },
      // The mean is (30 · 40 + 10 · 4) / 40 Mbit/s.
      mean_mbps: 31,
    },
    uplink: { settings: { rate_bit_s: 40e6 }, mean_mbps: 40 },
  });
});

it('applies Poisson times with the mean rate to both directions', async () => {
  const both = { settings: { rate_poisson_bit_s: 12e6 }, mean_mbps: 12 };
  expect(await switchRates({ kind: 'poisson', mbps: 12 })).toEqual({ downlink: both, uplink: both });
});

it('applies a trace to each direction, and refuses a missing trace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switch-rate-'));
  try {
    const [down, up] = [join(folder, 'down'), join(folder, 'up')];
    writeFileSync(down, '1\n2\n');
    writeFileSync(up, '4\n');
    // Downlink: a packet of 1504 bytes per ms. Uplink: one packet per 4 ms.
    expect(await switchRates({ kind: 'trace', downlink: down, uplink: up })).toEqual({
      downlink: { settings: { rate_trace: down }, mean_mbps: 12.032 },
      uplink: { settings: { rate_trace: up }, mean_mbps: 3.008 },
    });
    await expect(
      switchRates({ kind: 'trace', downlink: down, uplink: join(folder, 'none') }),
    ).rejects.toThrow('no trace');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

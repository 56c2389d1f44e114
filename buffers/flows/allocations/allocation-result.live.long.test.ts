import { describe, expect, it } from 'vitest';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { errorLine } from '../../../system/error-line.ts';
import { ensureTracefs } from '../../../emulation/network/measure/tcp-probe.ts';
import { measureTraffic } from '../../traffic/measure-traffic.ts';
import { trafficResult } from '../../traffic/traffic-result.ts';
import { allocationTraffic } from './cell.ts';
import { comparisons, UNITS } from './comparison.ts';
import { allocationResult } from './allocation-result.ts';
import { planAllocations } from './settings.ts';

const missing =
  missingLiveReason() ??
  (await ensureTracefs().then(
    () => undefined,
    (error: unknown) => errorLine(error),
  ));
const { settings } = planAllocations({ name: 'ab-lab', about: '', figure: '' }, { rate: '20', seconds: 4 });
const rate_kbps = 20_000;

describe.skipIf(missing !== undefined)(
  `ten applications on the switch${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    it('share the link when half of them use two connections', async () => {
      const comparison = comparisons[0];
      const cell = { comparison, treated: 5 };
      const { traffic, units } = allocationTraffic(cell, settings, { ...settings, seed: 1 });
      const measured = await measureTraffic(traffic, new AbortController().signal);
      // A busy machine may make the switch late, and the run invalid. This test only checks how the numbers are passed
      // on.
      const { result } = trafficResult(traffic, measured);
      const spec = { comparison: comparison.name, treated: 5, traffic, units };
      const record = allocationResult(spec, result, '2026-03-02T00:00:00.000Z');
      expect(record.units).toHaveLength(UNITS);
      for (const { throughput_kbps } of record.units) expect(throughput_kbps).toBeGreaterThan(0);
      const together_kbps = record.units.reduce((sum, unit) => sum + unit.throughput_kbps, 0);
      expect(together_kbps).toBeGreaterThan(0.4 * rate_kbps);
      // More than the rate is possible, because some counted ACKs are for data that the link carried in the start-up.
      expect(together_kbps).toBeLessThan(1.2 * rate_kbps);
      expect(result.conservation).toMatchObject({ frames_unaccounted: 0, postcards_missing: 0 });
    }, 60_000);
  },
);

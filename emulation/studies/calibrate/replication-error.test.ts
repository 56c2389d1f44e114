import { expect, it } from 'vitest';
import { replicationError, schemeErrors } from './replication-error.ts';

const path = {
  reno: { throughput_mbps: 10, delay_p95_ms: 100 },
  vegas: { throughput_mbps: 8, delay_p95_ms: 40 },
};

it('is the mean of the relative changes of throughput and delay of all schemes', () => {
  // By hand: reno's changes are 10% and 20%, vegas's 25% and 5%.
  const emulated = {
    reno: { throughput_mbps: 9, delay_p95_ms: 120 },
    vegas: { throughput_mbps: 10, delay_p95_ms: 38 },
  };
  expect(replicationError(path, emulated)).toBeCloseTo((10 + 20 + 25 + 5) / 4, 9);
  expect(schemeErrors(path, emulated).vegas).toEqual({ throughput_pct: 25, delay_pct: 5 });
  expect(replicationError(path, path)).toBe(0);
});

it('names a scheme that the emulator did not run', () => {
  expect(() => replicationError(path, { reno: path.reno })).toThrow('the emulator has no run of vegas');
});

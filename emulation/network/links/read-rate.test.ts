import { expect, it } from 'vitest';
import { readRate } from './read-rate.ts';

it('reads a constant rate, a schedule, and a trace', () => {
  expect(readRate('40')).toEqual({ kind: 'constant', mbps: 40 });
  expect(readRate('0.5')).toEqual({ kind: 'constant', mbps: 0.5 });
  expect(readRate('poisson:12.5')).toEqual({ kind: 'poisson', mbps: 12.5 });
  expect(readRate('40x30,5.5x20')).toEqual({
    kind: 'schedule',
    steps: [
      { mbps: 40, seconds: 30 },
      { mbps: 5.5, seconds: 20 },
    ],
  });
  expect(readRate('Verizon-LTE-short')).toEqual({
    kind: 'trace',
    downlink: 'Verizon-LTE-short',
    uplink: 'Verizon-LTE-short',
  });
});

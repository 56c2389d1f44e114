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

it.each([
  ['0', "--rate is '0', expected a number of Mbit/s above 0"],
  ['-5', "--rate is '-5', expected a number of Mbit/s above 0"],
  ['1.2.3', "--rate is '1.2.3', expected a number of Mbit/s above 0"],
  // Parsed not as a hexadecimal number, but as 0 Mbit/s for 10 s.
  ['0x10', "--rate is '0x10', expected a rate above 0 at some time"],
])('refuses %s', (text, message) => {
  expect(() => readRate(text)).toThrow(message);
});

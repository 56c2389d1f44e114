import { expect, it } from 'vitest';
import { isLoadedName, loadedName, missingCapabilities } from './struct-ops.ts';

const INITIAL = 4_026_531_836;

it('contains the process id and, outside of the initial namespace, the namespace', () => {
  expect(loadedName('yield', 123, INITIAL)).toBe('yield123');
  const ofContainers = [4_026_532_180, 4_026_532_181].map((namespace) => loadedName('yield', 1, namespace));
  expect(new Set(['yield1', ...ofContainers]).size).toBe(3);
  for (const name of ofContainers) expect(name).toMatch(/^yield1n[0-9a-z]+$/);
  for (const name of ['yield123', ...ofContainers]) expect(isLoadedName(name)).toBe(true);
  for (const name of ['cubic', 'bbr', 'bbr3', 'highspeed']) expect(isLoadedName(name)).toBe(false);
  // The kernel allows 15 characters.
  expect(loadedName('yield', 4_194_304, INITIAL + 344)).toHaveLength(15);
});

it('returns the capabilities that a process lacks', () => {
  const status = (effective: string) => `Name:\tnode\nCapPrm:\t000001ffffffffff\nCapEff:\t${effective}\n`;
  expect(missingCapabilities(status('000001ffffffffff'))).toEqual([]);
  // Docker's default capabilities for root, according to its documentation and `capsh --decode`.
  expect(missingCapabilities(status('00000000a80425fb'))).toEqual(['CAP_NET_ADMIN', 'CAP_SYS_ADMIN']);
  expect(missingCapabilities(status('000001ffffffefff'))).toEqual(['CAP_NET_ADMIN']);
});

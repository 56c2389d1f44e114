import { expect, it } from 'vitest';
import { readSettings } from './settings.ts';

const readTestSettings = (...args: string[]) => readSettings(['--origin', '.', '--port', '0', ...args]);

it.each([
  [[], false, [4096, 256]],
  // A total limit of at most the default per address does not imply a proxy.
  [['--max-connections', '256'], false, [256, 256]],
  [['--max-connections', '100'], false, [100, 256]],
  [['--max-connections', '100', '--max-connections-per-address', '99'], false, [100, 99]],
  [['--max-connections', '100', '--max-connections-per-address', '100'], true, [100, 100]],
  [['--max-connections-per-address', '4096'], true, [4096, 4096]],
  // The limits per worker, 50 and 50, are equal only because 101 / 2 is rounded down.
  [['--max-connections', '101', '--max-connections-per-address', '100', '--workers', '2'], false, [50, 50]],
  [['--max-connections', '100', '--max-connections-per-address', '200', '--workers', '2'], true, [50, 100]],
] as const)(
  'with %j it is %s that clients connect through a proxy',
  async (args, isProxied, [connections, perAddress]) => {
    expect(await readTestSettings(...args)).toMatchObject({
      isProxied,
      admission: { connections, perAddress },
    });
  },
);

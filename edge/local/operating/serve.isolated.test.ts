import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openLog } from '../logging/log.ts';
import type { Service } from './service.ts';
import { serve } from './serve.ts';
import { readSettings } from './settings.ts';

let folder: string;
let service: Service;
beforeEach(() => {
  // Fake the date, so that no hour ends during the test.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-22T12:30Z') });
  folder = mkdtempSync(join(tmpdir(), 'edge-serve-'));
});
afterEach(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
  vi.useRealTimers();
});

/** Returns the number of stored beacons from one address. An hour has room for 10 MB / 48 = 208 kB. */
async function readStored(count: number, ...args: string[]): Promise<number> {
  const sessions = ['--sessions', folder, '--sessions-mb', '10'];
  const settings = await readSettings(['--origin', folder, '--port', '0', ...sessions, ...args]);
  service = await serve(settings, null, openLog({ format: 'text', level: 'error' }));
  let stored = 0;
  for (let number = 0; number < count; number++) {
    const { status } = await fetch(`${service.url}/.sammy/v1/sessions`, {
      method: 'POST',
      body: largeBeacon(number),
    });
    expect([204, 429, 503]).toContain(status);
    stored += status === 204 ? 1 : 0;
  }
  return stored;
}

const WORD = 'x'.repeat(40);

/** A beacon whose row has about 5 kB. */
const largeBeacon = (number: number): string =>
  JSON.stringify({
    version: 1,
    session_id: `session-number-${number}`,
    unit: 'viewer',
    sequence: 0,
    elapsed_s: 0,
    final: false,
    metrics: Object.fromEntries(
      Array.from({ length: 64 }, (_, metric) => [`a_metric_with_a_name_${metric}`, WORD]),
    ),
  });

it('one address has its share of the sessions, even with a lower limit of connections', async () => {
  const stored = await readStored(60, '--max-connections', '100');
  expect(stored).toBeGreaterThan(3);
  // A fifth of 208 kB is 42 kB: eight rows of 5 kB.
  expect(stored).toBeLessThan(12);
});

it("a proxy's address may fill an hour", async () => {
  const limits = ['--max-connections', '100', '--max-connections-per-address', '100'];
  expect(await readStored(30, ...limits)).toBe(30);
});

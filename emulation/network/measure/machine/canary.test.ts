import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startCanary } from './canary.ts';
import { machineSnapshot } from './machine-snapshot.ts';

// Skipped if the kernel does not have /proc/PID/schedstat (CONFIG_SCHED_INFO), or is not Linux.
const counted =
  process.platform === 'linux' && machineSnapshot({ lab: 1, run: process.pid }).threads.length > 0;

it.runIf(counted)('reports its waits since the previous read', async () => {
  const canary = await startCanary();
  try {
    let waits = await canary.read();
    const deadline = performance.now() + 20_000;
    while (waits === null && performance.now() < deadline) {
      await sleep(50);
      waits = await canary.read();
    }
    expect(waits?.samples).toBeGreaterThan(0);
    expect(waits?.longest_ms).toBeGreaterThanOrEqual(waits?.mean_ms ?? NaN);
  } finally {
    await canary.close();
  }
  await expect(canary.read()).resolves.toBeNull();
});

import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';

/** In a process of its own, where nobody has used `performance` before. */
const PROGRAM = `
  const { monotonic } = await import(${JSON.stringify(new URL('clock.ts', import.meta.url).href)});
  const ahead = () => Number(process.hrtime.bigint()) - monotonic();
  console.log(Math.max(...Array.from({ length: 1000 }, ahead)));
`;

it("the clock is the kernel's CLOCK_MONOTONIC to some microseconds, also where it is the first to be asked", () => {
  const node = ['--import', 'tsx', '--input-type=module', '-e', PROGRAM];
  const ahead_ns = Number(execFileSync(process.execPath, node, { encoding: 'utf8' }));
  // Of readings one after the other, the closest is of about a microsecond's time.
  expect(Math.abs(ahead_ns)).toBeLessThan(100_000);
}, 60_000);

import { defineWork } from '../work.ts';

export interface Sum {
  readonly add: number;
  /** The task's behavior before, or instead of, computing the sum. */
  readonly how?: 'throws' | 'exits' | 'takes 300 ms' | 'computes for 300 ms';
}

/** Work for tests: adds to the shared number, and returns the sum with the id of the process. */
const sums = (atSignal: 'kept' | 'ended') =>
  defineWork<number, Sum, { readonly sum: number; readonly pid: number }>({
    of: 'the test',
    program: new URL(`sums-${atSignal}.ts`, import.meta.url),
    atSignal,
  });

export const sumsKept = sums('kept');
export const sumsEnded = sums('ended');

export const adder =
  (base: number) =>
  async ({ add, how }: Sum) => {
    if (how === 'throws') throw new Error(`no sum of ${add}`);
    if (how === 'exits') process.exit(3);
    if (how === 'takes 300 ms') await new Promise((resolve) => setTimeout(resolve, 300));
    const until_ms = performance.now() + 300;
    while (how === 'computes for 300 ms' && performance.now() < until_ms) continue;
    return { sum: base + add, pid: process.pid };
  };

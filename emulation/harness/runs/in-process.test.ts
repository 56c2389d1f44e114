import { describe, expect, it } from 'vitest';
import { inProcess } from './in-process.ts';
import { defineRun } from './run-program.ts';

const endless = defineRun(new URL('testing/endless-run.ts', import.meta.url));
const { signal } = new AbortController();

/** The number of child processes of this process that are running. */
const children = () =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'ProcessWrap').length;

describe('a run in a process of its own', () => {
  it('is ended after its time limit, even if that is not a whole number of milliseconds', async () => {
    const before = children();
    const outcome = await inProcess(endless, {}, { within_s: 0.1234567, signal });
    expect(outcome).toEqual({ kind: 'failed', reason: 'took too long' });
    await expect.poll(children).toBe(before);
  }, 60_000);

  it('is not started if its time limit is invalid, and leaves no process behind', async () => {
    const before = children();
    await expect(inProcess(endless, {}, { within_s: -1, signal })).rejects.toThrow(RangeError);
    expect(children()).toBe(before);
  });
});

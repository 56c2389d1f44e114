import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { conduct } from './conduct.ts';
import { ENDED_EARLY, type Runner, type PlannedRun } from './study.ts';
import { requireFreeSpace } from '../../ground/files/free-space.ts';
import type { RemovedRun } from './manifest.ts';

vi.mock('../../ground/files/free-space.ts', () => ({ requireFreeSpace: vi.fn(() => Promise.resolve()) }));

const make = vi.fn<Runner['run']>();
const planned: readonly PlannedRun[] = [1, 2].flatMap((k) =>
  ['a', 'b'].map((cell) => ({ cell, k, group: String(k) })),
);
const finished: Runner['run'] = (_, folder) => {
  writeFileSync(join(folder, 'session.json'), '{}');
  return Promise.resolve({ kind: 'finished' });
};
const refused =
  (kind: 'invalid' | 'failed' | 'busy', reason: string): Runner['run'] =>
  () =>
    Promise.resolve({ kind, reason });

let outDir: string;
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'conduct-test-'));
  make.mockReset().mockImplementation(finished);
});
afterEach(() => rmSync(outDir, { recursive: true }));

function conducted(lanes = 1, keptBusy?: Runner['keptBusy'], busyAttempts?: number) {
  const repeated: RemovedRun[] = [];
  const ending = new AbortController();
  const result = conduct({
    runs: planned,
    make,
    outDir,
    record: 'session.json',
    lanes,
    busyAttempts,
    ...(keptBusy && { keptBusy }),
    signal: ending.signal,
    onProgress: () => undefined,
    onRepeat: (run) => repeated.push(run),
  });
  return { result, repeated, ending };
}

const runs = (arm: string) =>
  existsSync(join(outDir, 'runs', arm)) ? readdirSync(join(outDir, 'runs', arm)) : [];
const leftovers = () => readdirSync(outDir).filter((name) => name.startsWith('.run-'));

describe('conduct', () => {
  it('makes every run once, and later only missing runs', async () => {
    await expect(conducted(2).result).resolves.toBe('complete');
    expect([runs('a'), runs('b'), leftovers()]).toEqual([['1', '2'], ['1', '2'], []]);
    rmSync(join(outDir, 'runs', 'b', '2'), { recursive: true });
    make.mockClear();
    await conducted().result;
    expect(make.mock.calls.map(([{ cell, k }]) => [cell, k])).toEqual([['b', 2]]);
  });

  it('makes the runs of a stage after all lower stages, with any number of lanes', async () => {
    const progress: number[] = [];
    const made: string[] = [];
    make.mockImplementation(async (run, ...rest) => {
      await new Promise((resolve) => setTimeout(resolve, run.cell === 'a' ? 5 : 0));
      made.push(`${run.cell}/${run.k}`);
      return finished(run, ...rest);
    });
    const staged = planned.map((run) => ({ ...run, stage: run.cell === 'a' ? 1 : 2 }));
    await conduct({
      ...{ runs: staged, make, outDir, record: 'session.json', lanes: 4 },
      ...{ signal: new AbortController().signal, onRepeat: () => undefined },
      onProgress: ({ done }) => progress.push(done),
    });
    // The runs of a stage are made in parallel, and end in any order.
    const sortedPair = (from: number) => made.slice(from, from + 2).toSorted();
    expect([sortedPair(0), sortedPair(2)]).toEqual([
      ['a/1', 'a/2'],
      ['b/1', 'b/2'],
    ]);
    expect(made).toHaveLength(4);
    expect(progress).toEqual([0, 1, 2, 2, 3, 4]);
  });

  it('repeats invalid runs, reports the reason, and deletes their files', async () => {
    make.mockImplementationOnce(refused('invalid', 'RTT is 9 ms')).mockImplementation(finished);
    const { result, repeated } = conducted();
    await expect(result).resolves.toBe('complete');
    expect(repeated).toHaveLength(1);
    expect(repeated[0]).toEqual({ cell: 'a', k: 1, reason: 'invalid: RTT is 9 ms' });
    expect(leftovers()).toEqual([]);
  });

  it('stops after the third failure, and keeps finished runs', async () => {
    make.mockImplementation((run, ...rest) =>
      (run.cell === 'a' ? finished : refused('failed', 'the page crashed'))(run, ...rest),
    );
    const { result, repeated } = conducted();
    await expect(result).rejects.toThrow(/run b\/1 failed 3 times: the page crashed/);
    expect(repeated).toHaveLength(3);
    expect([runs('b'), leftovers()]).toEqual([[], []]);
  });

  it('allows more attempts if the link is not as requested', async () => {
    make.mockImplementation(refused('invalid', 'rate is 30 Mbit/s'));
    await expect(conducted().result).rejects.toThrow(/was invalid 12 times: rate is 30/);
    expect(make).toHaveBeenCalledTimes(12);
  });

  it('repeats a run on a busy machine, and keeps the third attempt', async () => {
    make.mockImplementation(async (run, folder, signal) => {
      await finished(run, folder, signal);
      return { kind: 'busy', reason: 'strangers' };
    });
    const keptBusy = vi.fn();
    const { result, repeated } = conducted(1, keptBusy);
    await expect(result).resolves.toBe('complete');
    expect(keptBusy.mock.calls.map(([, reason]) => String(reason))).toEqual(planned.map(() => 'strangers'));
    expect(repeated.filter(({ cell, k }) => cell === 'b' && k === 2)).toEqual([
      { cell: 'b', k: 2, reason: 'busy: strangers' },
      { cell: 'b', k: 2, reason: 'busy: strangers' },
    ]);
    expect([make.mock.calls.length, runs('b'), leftovers()]).toEqual([12, ['1', '2'], []]);
  });

  it('keeps the first attempt on a busy machine if only one is allowed', async () => {
    make.mockImplementation(async (run, folder, signal) => {
      await finished(run, folder, signal);
      return { kind: 'busy', reason: 'strangers' };
    });
    const keptBusy = vi.fn();
    const { result, repeated } = conducted(1, keptBusy, 1);
    await expect(result).resolves.toBe('complete');
    expect([make.mock.calls.length, keptBusy.mock.calls.length, repeated]).toEqual([4, 4, []]);
  });

  it('starts no run that cannot finish in time', async () => {
    vi.mocked(requireFreeSpace).mockRejectedValueOnce(new Error('less than 1 GB is free'));
    await expect(conducted().result).rejects.toThrow(/less than 1 GB/);
    expect(make).not.toHaveBeenCalled();
  });

  it('counts an aborted run neither as finished nor as failed', async () => {
    const { result, repeated, ending } = conducted();
    make.mockReset().mockImplementation(() => {
      ending.abort();
      return Promise.resolve({ kind: 'failed', reason: ENDED_EARLY });
    });
    await expect(result).resolves.toBe('cut off');
    expect(repeated).toEqual([]);
  });
});

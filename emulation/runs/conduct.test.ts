import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Experiment } from '../experiments/experiment.ts';
import type { InvalidRun } from '../report/manifest.ts';
import type { RunOutcome, RunSpec } from '../sessions/run-spec.ts';
import { ENDED_EARLY } from '../sessions/start-run.ts';
import { PAPER_LINK } from '../links/link.ts';
import { conduct } from './conduct.ts';
import { requireFreeSpace } from './free-space.ts';

// Browsers and links are not what is tested here: e2e/lab.spec.ts has the real ones.
const startRun = vi.hoisted(() => vi.fn<(spec: RunSpec) => Promise<RunOutcome>>());
vi.mock('../sessions/start-run.ts', () => ({ ENDED_EARLY: 'ended early', startRun }));
vi.mock('./free-space.ts', () => ({ requireFreeSpace: vi.fn(() => Promise.resolve()) }));

const experiment: Experiment = {
  ...{ name: 'x', about: '', figure: '', runs: 2, seconds: 10, link: PAPER_LINK },
  arms: ['a', 'b'],
};
const finished = (spec: RunSpec): Promise<RunOutcome> => {
  writeFileSync(join(spec.folder, 'session.json'), '{}');
  return Promise.resolve({ kind: 'finished' });
};
const refused = (kind: 'invalid' | 'failed', reason: string) => () => Promise.resolve({ kind, reason });

let outDir: string;
beforeEach(() => {
  outDir = mkdtempSync(join(tmpdir(), 'conduct-test-'));
  startRun.mockReset().mockImplementation(finished);
});
afterEach(() => rmSync(outDir, { recursive: true }));

function conducted(lanes = 1) {
  const repeated: InvalidRun[] = [];
  const ending = new AbortController();
  const result = conduct({
    experiment,
    seed: 1,
    outDir,
    page: '',
    film: '',
    lanes,
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
  it('makes every run once, and only what is missing the next time', async () => {
    await expect(conducted(2).result).resolves.toBe('complete');
    expect([runs('a'), runs('b'), leftovers()]).toEqual([['1', '2'], ['1', '2'], []]);
    rmSync(join(outDir, 'runs', 'b', '2'), { recursive: true });
    startRun.mockClear();
    await conducted().result;
    expect(startRun.mock.calls.map(([{ arm, k }]) => [arm, k])).toEqual([['b', 2]]);
  });

  it('repeats what is invalid, says why, and keeps nothing of it', async () => {
    startRun.mockImplementationOnce(refused('invalid', 'RTT is 9 ms')).mockImplementation(finished);
    const { result, repeated } = conducted();
    await expect(result).resolves.toBe('complete');
    expect(repeated).toHaveLength(1);
    expect(repeated[0]?.reason).toBe('invalid: RTT is 9 ms');
    expect(leftovers()).toEqual([]);
  });

  it('gives up after the third failure, and keeps what is finished', async () => {
    startRun.mockImplementation((spec) =>
      spec.arm === 'a' ? finished(spec) : Promise.resolve({ kind: 'failed', reason: 'the page crashed' }),
    );
    const { result, repeated } = conducted();
    await expect(result).rejects.toThrow(/run b\/1 failed 3 times: the page crashed/);
    expect(repeated).toHaveLength(3);
    expect([runs('b'), leftovers()]).toEqual([[], []]);
  });

  it('is more patient with a link that is off', async () => {
    startRun.mockImplementation(refused('invalid', 'rate is 30 Mbit/s'));
    await expect(conducted().result).rejects.toThrow(/was invalid 12 times: rate is 30/);
    expect(startRun).toHaveBeenCalledTimes(12);
  });

  it('begins no run where it would not fit', async () => {
    vi.mocked(requireFreeSpace).mockRejectedValueOnce(new Error('less than 1 GB is free'));
    await expect(conducted().result).rejects.toThrow(/less than 1 GB/);
    expect(startRun).not.toHaveBeenCalled();
  });

  it('counts a run that was given up neither as finished nor as failed', async () => {
    const { result, repeated, ending } = conducted();
    startRun.mockReset().mockImplementation(() => {
      ending.abort();
      return Promise.resolve({ kind: 'failed', reason: ENDED_EARLY });
    });
    await expect(result).resolves.toBe('cut off');
    expect(repeated).toEqual([]);
  });
});

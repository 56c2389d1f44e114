import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readPolicy } from '../../../src/abr/pensieve/policy.ts';
import { main } from './command.ts';

const TIMEOUT_MS = 600_000;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'learn-rule-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it(
  'learns the same policy from the same seed, with any number of processes',
  async () => {
    const traces = join(folder, 'traces.jsonl');
    const line = (name: string, kbps: number) =>
      JSON.stringify({
        name,
        periods: [
          [60_000, kbps, 20],
          [60_000, 2 * kbps, 20],
        ],
      });
    writeFileSync(traces, [line('a', 800), line('b', 1500), line('c', 3000), line('d', 700)].join('\n'));
    const learn = async (name: string, jobs: string, seed = '1') => {
      const out = join(folder, name);
      const size = ['--rounds', '2', '--sessions', '4', '--seconds', '40', '--jobs', jobs, '--seed', seed];
      await main(['--traces', traces, '--reward', 'ssim', '--paced', '--out', out, ...size]);
      return readPolicy(readFileSync(out));
    };
    const one = await learn('one', '1');
    expect((await learn('two', '2')).layers).toEqual(one.layers);
    expect((await learn('other', '1', '2')).layers).not.toEqual(one.layers);
    expect(one).toMatchObject({ reward: 'ssim', provenance: { networks: 2, paced: true } });
  },
  TIMEOUT_MS,
);

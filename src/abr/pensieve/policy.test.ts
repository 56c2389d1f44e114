import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { policyFile } from '../../testing/policy-file.ts';
import { readPolicy, scoreRungs } from './policy.ts';

const model = readFileSync(new URL('../../../models/pensieve-ssim.bin', import.meta.url));
const { rows } = JSON.parse(
  gunzipSync(readFileSync(new URL('testing/check.json.gz', import.meta.url))).toString(),
) as {
  readonly rows: readonly {
    readonly shared: readonly number[];
    readonly rungs: readonly number[];
    readonly scores: readonly number[];
  }[];
};

describe('the package’s policy', () => {
  it('scores 256 recorded states as the trainer does', () => {
    const policy = readPolicy(model);
    expect(rows).toHaveLength(256);
    const apart = rows.flatMap(({ shared, rungs, scores }) => {
      const inputs = { shared: Float64Array.from(shared), rungs: Float64Array.from(rungs) };
      return [...scoreRungs(policy, inputs)].map((score, rung) => Math.abs(score - (scores[rung] ?? NaN)));
    });
    expect(apart).toHaveLength(256 * 5);
    expect(Math.max(...apart)).toBeLessThan(1e-5);
  });
});

describe('readPolicy', () => {
  it("reads the trainer's file", () => {
    const { reward, layers } = readPolicy(policyFile());
    expect(reward).toBe('bitrate');
    // There are 29 shared inputs, and 6 inputs per rung.
    expect(layers.map(({ weights }) => weights.length)).toEqual([35 * 2, 2 * 2, 2]);
  });

  it.each([
    [
      'another file',
      readFileSync(new URL('../../../models/fugu-ttp.bin', import.meta.url)),
      'it is no learnt policy',
    ],
    ['another version', policyFile({ version: 2 }), 'it has version 2 and not 1'],
    [
      'another reward',
      policyFile({ reward: 'smiles' }),
      'its reward is "smiles" and not "bitrate" or "ssim"',
    ],
    ['other inputs', policyFile({ inputs: 25 }), 'it has 25 inputs and not 35'],
    ['one layer', policyFile({ hidden: [2] }), 'its hidden layers are [2] and not two of at most 256'],
    ['a part', policyFile().subarray(0, -4), 'it has 320 bytes of numbers and not 324: it is truncated'],
  ])('refuses %s, with the reason', (_, file, reason) => {
    expect(() => readPolicy(file)).toThrow(reason);
  });
});

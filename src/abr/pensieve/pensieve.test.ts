import { describe, expect, it } from 'vitest';
import { createAbrState, ABR_OPTIONS } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { policyFile } from '../../testing/policy-file.ts';
import { kbps, seconds } from '../../units.ts';
import type { AbrState } from '../abr.ts';
import { hyb } from '../hyb.ts';
import { pensieve } from './pensieve.ts';

/**
 * The state on a network of `throughput` kbit/s with 10 s buffered. The file's policy picks the largest segment that
 * takes at most 1 s.
 */
function createState(throughput: number, given: Partial<AbrState> = {}): AbrState {
  const state = createAbrState({
    buffer: seconds(10),
    throughput: kbps(throughput),
    segmentDuration: seconds(2),
  });
  const [previous] = state.ladder;
  return { ...state, previous, downloads: [createDownload(state, previous, kbps(throughput))], ...given };
}

describe('pensieve', () => {
  const session = () => pensieve({ model: policyFile() }).session(ABR_OPTIONS);
  const [lowest, ...higher] = createState(1).ladder;

  it('takes the rung that its policy scores highest', () => {
    // A segment of 2 s takes 1 s if the throughput is twice its bitrate.
    for (const { bitrate_kbps, id } of higher) {
      expect(session().choose(createState(2.02 * bitrate_kbps))).toMatchObject({
        rung: { id },
        reason: 'policy',
      });
      expect(session().choose(createState(1.98 * bitrate_kbps)).rung.id).not.toBe(id);
    }
  });

  it('gives the same answer however often it is asked for one segment', () => {
    const asked = session();
    const answers = Array.from({ length: 5 }, () => asked.choose(createState(3000)));
    expect(new Set(answers.map(({ rung }) => rung.id)).size).toBe(1);
  });

  it('begins with a rung that the throughput sustains', () => {
    const { previous, ...state } = createState(1e6, { downloads: [] });
    expect(session().choose({ ...state, previous: undefined })).toMatchObject({ reason: 'startup' });
  });

  it('has the required throughput that the search down from the highest pace finds, at least the lowest in the search', () => {
    const state = createState(3000);
    const top = state.ladder.at(-1) ?? lowest;
    // After downloads at 3000 kbit/s and at r, the harmonic mean 2 / (1/3000 + 1/r) is below 6000 kbit/s for every r.
    // The policy picks the top rung only from twice its bitrate on, 6600 kbit/s.
    expect(session().requiredThroughput(state, top)).toBe(Infinity);
    expect(session().requiredThroughput(state, lowest)).toBeCloseTo(3.2 * 0.75 ** 5 * top.bitrate_kbps, 6);
  });

  it('uses HYB without a model, and warns once', () => {
    const said: string[] = [];
    const algorithm = pensieve({ model: new Uint8Array(3), warn: (message) => said.push(message) });
    const without = algorithm.session(ABR_OPTIONS);
    const { rung, reason } = without.choose(createState(3000));
    expect(rung).toEqual(hyb().session(ABR_OPTIONS).choose(createState(3000)).rung);
    expect(reason).toMatch(/^HYB, no model: it is no learnt policy: /);
    without.choose(createState(3000));
    expect(said).toEqual(['pensieve: no model: it is no learnt policy; HYB chooses']);
  });
});

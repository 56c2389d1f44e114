import { describe, expect, it } from 'vitest';
import { resolved, type Asked } from './run-experiment.ts';

const asked = (fields: Partial<Asked>): Asked => ({
  name: 'single',
  arms: undefined,
  runs: undefined,
  seconds: undefined,
  switch: undefined,
  link: {},
  seed: 1,
  lanes: 1,
  out: undefined,
  resume: false,
  command: '',
  ...fields,
});

describe('the experiment that is asked for', () => {
  it("has the experiment's own first arm as its control, whatever the order", () => {
    expect(resolved(asked({ arms: ['sammy', 'dashjs'], runs: 2 }))).toMatchObject({
      arms: ['dashjs', 'sammy'],
      runs: 2,
      seconds: 60,
    });
  });

  it.each([
    [{ arms: ['nobody'] }, /no arm 'nobody'/],
    [{ name: 'networks', link: { rtt_ms: 20 } }, /networks has links of its own/],
    [{ name: 'history', lanes: 2 }, /history has runs that remember .* --lanes 1/],
    [{ name: 'burst', lanes: 2 }, /burst sets the burst, which is the machine's: it needs --lanes 1/],
    [{ name: 'traces', switch: 'p4' as const }, /traces: the P4 switch has a constant rate/],
  ])('refuses %o', (fields, message) => {
    expect(() => resolved(asked(fields))).toThrow(message);
  });
});

import { expect, it } from 'vitest';
import { printAssignment, readAssignment, type ReportedAssignment } from './reported-assignment.ts';

const told: ReportedAssignment = {
  experiment: 'pacing-1',
  arm: 'treatment',
  allocation: 0.95,
  window: 3,
  washout: false,
  cluster: 'FRA',
};

it('is read as it was printed, with other members in the header', () => {
  const others = [{ window: null }, { washout: true, arm: 'control' as const }, { allocation: 2.5e-7 }];
  for (const each of [told, ...others.map((fields) => ({ ...told, ...fields }))]) {
    expect(readAssignment(printAssignment(each))).toEqual(each);
    expect(readAssignment(`cdn;desc="HIT", ${printAssignment(each)}, pace;desc="requested"`)).toEqual(each);
  }
  expect(printAssignment(told)).toBe('experiment;desc="pacing-1 treatment 0.95 3 FRA"');
});

it('is the last member, so that an origin cannot override the nearest hop', () => {
  const origin = printAssignment({ ...told, arm: 'control' });
  expect(readAssignment(`${origin}, ${printAssignment(told)}`)).toEqual(told);
});

it('is found after a long header of earlier hops', () => {
  const long = `cdn;desc="${'x'.repeat(10_000)}"`;
  expect(readAssignment(`${long}, ${printAssignment(told)}`)).toEqual(told);
  const origin = printAssignment({ ...told, arm: 'control' });
  expect(readAssignment(`${origin}, ${long}, ${printAssignment(told)}`)).toEqual(told);
});

it('is read in time linear in the length of the header', () => {
  // Browsers accept headers of 256 kB.
  for (const part of [', ', ',', ' ', 'experiment;desc="', ',experiment;desc="a control 1'])
    expect(readAssignment(part.repeat(262_144 / part.length))).toBeNull();
});

it.each([
  null,
  '',
  'experiment',
  'experiment;desc="pacing treatment"',
  'experiment;desc="pacing neither 0.5 - FRA"',
  'experiment;desc="pacing treatment 1e9 - FRA"',
  'other-experiment;desc="pacing treatment 0.5 - FRA"',
])('is missing in %j', (header) => expect(readAssignment(header)).toBeNull());

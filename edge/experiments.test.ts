import { expect, it } from 'vitest';
import { getBucket } from '../src/experiment/bucket.ts';
import { readAssignment } from '../src/experiment/reported-assignment.ts';
import { milliseconds } from '../src/units.ts';
import { CLIENT_AS_HEADER } from './cluster.ts';
import { parseExperiments } from './experiments.ts';
import { createHandler } from './handler.ts';
import { takeVerdict } from './internal-headers.ts';
import { paceLimits } from './policy.ts';

const CONFIGURATION = {
  version: 1,
  experiments: [
    {
      name: 'pacing',
      design: 'paired',
      from: '2026-11-22T00:00Z',
      allocations: { 'link-1': 0.95, 'link-2': 0.05 },
      control: { pacing: false },
      treatment: {},
    },
  ],
};
const NOW = Date.parse('2026-11-22T12:00Z');

async function ask(
  cluster: string,
  query: string,
  text = JSON.stringify(CONFIGURATION),
  status = 200,
  headers: Record<string, string> = {},
) {
  const problems: string[] = [];
  const list = parseExperiments(text, (line) => problems.push(line));
  const handler = createHandler({
    origin: () =>
      Promise.resolve(new Response('x', { status, headers: { 'Server-Timing': 'cdn;desc="HIT"' } })),
    limits: paceLimits(),
    experiments: { list: () => list, cluster, now: () => milliseconds(NOW) },
  });
  const answer = await handler(new Request(`http://edge/1.m4s${query}`, { headers }));
  const told = readAssignment(answer.headers.get('Server-Timing'));
  const verdict = takeVerdict(answer.headers);
  return {
    told,
    timing: answer.headers.get('Server-Timing'),
    pace: verdict?.pace,
    reason: verdict?.reason,
    problems,
  };
}
/** A unit whose bucket is between the allocations of the two links. */
const UNIT = ['a', 'b', 'c'].find((unit) => Math.abs(getBucket('pacing', unit) - 0.5) < 0.4) ?? '';
const asking = (unit: string) => `?CMCD=${encodeURIComponent(`rtp=5000,sid="${unit}"`)}`;

it('reports whether each request with a pace has a session id, while there is an experiment', async () => {
  const told: boolean[] = [];
  const requests = ['', '?CMCD=rtp%3D5000', asking(UNIT)];
  for (const text of [JSON.stringify(CONFIGURATION), '{"version":1,"experiments":[]}']) {
    const list = parseExperiments(text, () => undefined);
    const handler = createHandler({
      origin: () => Promise.resolve(new Response('x')),
      limits: paceLimits(),
      experiments: {
        list: () => list,
        cluster: 'link-1',
        now: () => milliseconds(NOW),
        onPaceRequest: (hasSession) => told.push(hasSession),
      },
    });
    for (const query of requests) await handler(new Request(`http://edge/1.m4s${query}`));
  }
  expect(told).toEqual([false, true]);
});

it("adds the arm to the origin's Server-Timing, and paces according to the arm", async () => {
  expect(await ask('link-1', asking(UNIT))).toEqual({
    told: {
      experiment: 'pacing',
      arm: 'treatment',
      allocation: 0.95,
      window: null,
      washout: false,
      cluster: 'link-1',
    },
    timing: 'cdn;desc="HIT", experiment;desc="pacing treatment 0.95 - link-1"',
    pace: 5000,
    reason: 'requested',
    problems: [],
  });
  expect(await ask('link-2', asking(UNIT))).toMatchObject({
    told: { arm: 'control', allocation: 0.05 },
    pace: null,
    reason: 'experiment',
  });
});

it("uses the client's autonomous system number in the cluster name", async () => {
  const allocations = { 'FRA-AS64496': 1, 'FRA-AS64497': 0 };
  const text = JSON.stringify(CONFIGURATION).replace(
    '{"link-1":0.95,"link-2":0.05}',
    JSON.stringify(allocations),
  );
  const of = (number: string) => ask('FRA-AS{asn}', asking(UNIT), text, 200, { [CLIENT_AS_HEADER]: number });
  expect(await of('64496')).toMatchObject({ told: { arm: 'treatment', cluster: 'FRA-AS64496' }, pace: 5000 });
  expect(await of('64497')).toMatchObject({ told: { arm: 'control', cluster: 'FRA-AS64497' }, pace: null });
  // These clients are in neither of the two clusters.
  expect(await of('64498')).toMatchObject({ told: null, pace: 5000 });
  expect(await of('64496, 64497')).toMatchObject({ told: null, pace: 5000 });
});

it('ignores requests without a session, from other clusters, and errors', async () => {
  expect(await ask('link-1', '?CMCD=rtp%3D5000')).toMatchObject({ told: null, pace: 5000 });
  expect(await ask('link-3', asking(UNIT))).toMatchObject({ told: null, pace: 5000 });
  expect(await ask('link-2', asking(''))).toMatchObject({ told: null });
  expect(await ask('link-2', asking('x'.repeat(201)))).toMatchObject({ told: null, pace: 5000 });
  // A unit with this character is not valid in beacons.
  expect(await ask('link-2', asking('viéwer'))).toMatchObject({ told: null, pace: 5000 });
  expect(await ask('link-2', asking(UNIT), undefined, 404)).toMatchObject({ reason: 'error-response' });
});

it.each([
  ['{', 'experiments: '],
  ['{"version":1}', 'experiments: experiments is undefined, expected a list; no experiment runs'],
  [
    JSON.stringify(CONFIGURATION).replace('0.95', '95'),
    'experiments: experiments[0].allocations.link-1 is 95',
  ],
  [
    JSON.stringify(CONFIGURATION).replace('{}', '{"c0":-1}'),
    'experiments: experiments[0].treatment: option c0 is -1',
  ],
])('has no experiment with the configuration %s, and reports it', async (text, problem) => {
  const { told, pace, problems } = await ask('link-2', asking(UNIT), text);
  expect([told, pace]).toEqual([null, 5000]);
  expect(problems).toEqual([expect.stringContaining(problem)]);
});

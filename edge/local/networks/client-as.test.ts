import { afterEach, expect, it } from 'vitest';
import { readAssignment } from '../../../src/experiment/reported-assignment.ts';
import { milliseconds } from '../../../src/units.ts';
import { CLIENT_AS_HEADER } from '../../cluster.ts';
import { parseExperiments, type EdgeExperiments } from '../../experiments.ts';
import { createHandler } from '../../handler.ts';
import { plainResponse } from '../../origin.ts';
import { paceLimits } from '../../policy.ts';
import { takeSessions } from '../../sessions/sessions-route.ts';
import { startEdge, type Edge } from '../server.ts';
import { parseAsTable, type LookUpAs } from './as-table.ts';
import { FIRST_BEACON } from '../../testing/first-beacon.ts';

const experiment = { name: 'e', design: 'ab', from: '2020-01-01T00:00Z', allocation: 1, treatment: {} };
const list = parseExperiments(JSON.stringify({ version: 1, experiments: [experiment] }), (line) => {
  throw new Error(line);
});
const experiments: EdgeExperiments = {
  list: () => list,
  cluster: 'link-1-AS{asn}',
  now: () => milliseconds(Date.now()),
};
const BEACON = { ...FIRST_BEACON, metrics: {} };

let edge: Edge;
let rows: string[] = [];
let askedOrigin: (string | null)[] = [];
afterEach(() => edge.close());

async function start(asOf?: LookUpAs): Promise<void> {
  [rows, askedOrigin] = [[], []];
  const handler = createHandler({
    origin: (request) => {
      askedOrigin.push(request.headers.get(CLIENT_AS_HEADER));
      return Promise.resolve(plainResponse(200, 'film'));
    },
    limits: paceLimits(),
    experiments,
  });
  const store = (line: string) => {
    rows.push(line);
    return 'stored' as const;
  };
  edge = await startEdge({
    handler: takeSessions(handler, { experiments, store }),
    ...(asOf && { asOf }),
  });
}

/**
 * Returns the cluster in the response to a client that sends an autonomous system number, and the cluster in its row.
 */
async function clusters() {
  const headers = { [CLIENT_AS_HEADER]: '64499' };
  const film = await fetch(`${edge.url}/1.m4s?CMCD=${encodeURIComponent('sid="viewer-1"')}`, { headers });
  await film.text();
  const beacon = { method: 'POST', headers, body: JSON.stringify(BEACON) };
  expect((await fetch(`${edge.url}/.sammy/v1/sessions`, beacon)).status).toBe(204);
  const { cluster } = JSON.parse(rows.at(-1) ?? '') as { cluster: string };
  return [readAssignment(film.headers.get('Server-Timing'))?.cluster, cluster];
}

it("depends on the client's address, not on a header, and is not sent to origins", async () => {
  await start(parseAsTable('127.0.0.0/8 64496'));
  expect(await clusters()).toEqual(['link-1-AS64496', 'link-1-AS64496']);
  expect(askedOrigin).toEqual([null]);
});

it('is 0 for an address that is not in the table, and without a table', async () => {
  await start(parseAsTable('192.0.2.0/24 64496'));
  expect(await clusters()).toEqual(['link-1-AS0', 'link-1-AS0']);
  await edge.close();
  await start();
  expect(await clusters()).toEqual(['link-1-AS0', 'link-1-AS0']);
});

import { expect, it } from 'vitest';
import { milliseconds } from '../src/units.ts';
import { readConfig } from './compute/config.ts';
import { createHandler } from './handler.ts';
import { fetchAsSent } from './local/fetch-as-sent.ts';
import { decidePace } from './policy.ts';
import { expectAnswer, expectVerdict, verdictIn, readVerdict } from './testing/case-answers.ts';
import { originUrl, createStore, useCaseOrigin } from './testing/case-origin.ts';
import { fetchRequest } from './testing/case-requests.ts';
import { paceCases } from './testing/pace-cases.ts';
import { testCases } from './testing/test-cases.ts';
import { urlOrigin } from './url-origin.ts';
import { mountOrigins } from './via.ts';

useCaseOrigin();

it('has a unique name, and there are at least 60 cases', () => {
  expect(new Set(paceCases.map(({ name }) => name)).size).toBe(paceCases.length);
  expect(paceCases.length).toBeGreaterThanOrEqual(60);
});

testCases(
  'policy',
  null,
  (given) => {
    const decided = decidePace(fetchRequest(given), readConfig(createStore(given.config)).limits);
    expect(readVerdict(decided)).toEqual(verdictIn(given));
  },
  // Exclude cases that depend on the response, which the policy does not see.
  ({ reason }) => reason !== null && reason !== 'error-response',
);

testCases('handler', null, async (given) => {
  const config = readConfig(createStore(given.config));
  const open = (url: string, forward: readonly string[] = []) =>
    urlOrigin(url, { fetch: fetchAsSent, forward });
  const main = open(originUrl(), config.forwardHeaders);
  const handler = createHandler({
    origin: mountOrigins({
      main,
      allowed: config.allowed,
      setting: 'allowed_origins',
      open: (url) => open(url),
    }),
    limits: config.limits,
    credentialsOrigins: config.credentialsOrigins,
    experiments: {
      list: () => config.experiments,
      cluster: config.cluster.replaceAll('{pop}', 'default'),
      now: () => milliseconds(Date.now()),
    },
  });
  const { status, headers } = await handler(fetchRequest(given));
  expectAnswer(given, { status, header: (name) => headers.get(name) });
  expectVerdict(given, headers);
});

import { expect, it } from 'vitest';
import type { ReportData } from './report-data.ts';
import { givenUpSentences } from './given-up.ts';

const makeData = (runs: Readonly<Record<string, readonly (string | undefined)[]>>) =>
  ({
    manifest: { experiment: { arms: Object.keys(runs) } },
    records: Object.entries(runs).flatMap(([arm, errors]) =>
      errors.map((player_error) => ({ arm, ...(player_error !== undefined && { player_error }) })),
    ),
  }) as unknown as ReportData;

it('counts, for each arm, the sessions that ended with a network error, with the name of the error', () => {
  const two = makeData({ hlsjs: [undefined, 'fragLoadTimeOut', undefined], shaka: [undefined] });
  expect(givenUpSentences(two)).toEqual([
    'hlsjs: 1 of 3 sessions ended with a network error of the player (fragLoadTimeOut). ' +
      'Such sessions count as stalled until their end, once the buffer is empty.',
  ]);
});

it('counts each of several errors of an arm, the most frequent first', () => {
  const [first] = givenUpSentences(makeData({ shaka: ['HTTP_ERROR', 'TIMEOUT', 'TIMEOUT', undefined] }));
  expect(first).toMatch(
    /^shaka: 3 of 4 sessions ended with a network error of the player \(TIMEOUT 2, HTTP_ERROR 1\)\./,
  );
});

it('has no sentence for sessions without such an error', () => {
  expect(givenUpSentences(makeData({ hlsjs: [undefined], shaka: [] }))).toEqual([]);
});

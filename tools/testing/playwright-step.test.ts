import { expect, it } from 'vitest';
import { playwrightCounts } from './playwright-step.ts';

const spec = (title: string, status: string, messages: readonly (string | undefined)[] = [undefined]) => ({
  file: 'measured/http2.spec.ts',
  title,
  tests: [
    {
      status,
      annotations: status === 'skipped' ? [{ type: 'skip', description: 'no root' }] : [],
      results: messages.map((message) => (message === undefined ? {} : { error: { message } })),
    },
  ],
});

it('counts the tests of a report, with the reasons for skipped tests and the errors of flaky ones', () => {
  const report = {
    suites: [
      {
        specs: [spec('plays', 'expected'), spec('needs root', 'skipped')],
        suites: [
          {
            specs: [
              spec('is smooth', 'flaky', [
                '\u001B[31mError: expect(received)\u001B[39m\n\nExpected: > 0.6\nReceived: 0.55\n\n  at line 70',
                undefined,
              ]),
              spec('is paced', 'unexpected', ['Error: a', 'Error: b']),
            ],
          },
        ],
      },
    ],
  };
  expect(playwrightCounts(JSON.stringify(report))).toEqual({
    passed: 2,
    failed: 1,
    skipped: 1,
    failures: ['measured/http2.spec.ts: is paced'],
    flaky: [
      'measured/http2.spec.ts: is smooth: Error: expect(received) Expected: > 0.6 Received: 0.55 at line 70',
    ],
    reasons: ['no root'],
  });
});

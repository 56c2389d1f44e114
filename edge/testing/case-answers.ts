import { expect } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { splitMembers } from '../../src/wire/structured-field.ts';
import { INTERNAL_HEADERS, takeVerdict } from '../internal-headers.ts';
import type { RequestVerdict } from '../policy.ts';
import { requestsSeen } from './case-origin.ts';
import type { Answer } from './case-requests.ts';
import type { PaceCase } from './pace-cases.ts';

export function expectAnswer(given: PaceCase, { status, header }: Answer): void {
  expect(status).toBe(given.status);
  if (given.response['access-control-allow-origin'] === undefined)
    expect(header('Access-Control-Allow-Origin')).toBe('*');
  for (const [name, value] of Object.entries(given.response)) expect(header(name)).toBe(value);
  expectOneReceipt(header('Server-Timing') ?? '');
  if (given.told !== undefined) expect(header('Server-Timing')).toContain(given.told);
  if (given.originSaw !== undefined)
    expect(requestsSeen().map(({ target }) => target)).toEqual([given.originSaw]);
  // The origin must receive neither CMCD nor internal headers.
  for (const { target, headers } of requestsSeen()) {
    expect(target).not.toMatch(/CMCD/);
    expect(Object.keys(headers).filter((name) => /^(cmcd|x-sammy)-/.test(name))).toEqual([]);
  }
}

/**
 * Checks that the edge's receipt is the only receipt in a response, even for a player that reads the first member of
 * each name.
 */
function expectOneReceipt(serverTiming: string): void {
  const names = splitMembers(serverTiming).map((member) => member.split(';', 1)[0] ?? '');
  const ofReceipts = names.filter((name) => /^(pace|tcp-\w+)$/i.test(name));
  expect(ofReceipts).toEqual([...new Set(ofReceipts)]);
  expect(serverTiming).not.toMatch(/(^|,\s*)tcp-\w+;(dur=9[05]0|desc="(1|inner)")/);
}

export function expectReceiptOfNginx(given: PaceCase, answer: Answer): void {
  expectAnswer(given, answer);
  for (const name of Object.values(INTERNAL_HEADERS)) expect(answer.header(name)).toBeNull();
  const { pace_kbps, reason } = parseReceipt(answer.header);
  expect({ pace: pace_kbps ?? null, reason: reason ?? null }).toEqual({
    pace: given.pace_kbps,
    reason: given.reason,
  });
}

export const expectVerdict = (given: PaceCase, headers: Headers): void =>
  expect(readVerdict(takeVerdict(headers))).toEqual(verdictIn(given));

export const readVerdict = (verdict: RequestVerdict | null) => [
  [verdict?.pace ?? null, verdict?.reason ?? null],
  [verdict?.connectionPace ?? null, verdict?.connectionReason ?? null],
];
export const verdictIn = ({ pace_kbps, reason, connection }: PaceCase) => [
  [pace_kbps, reason],
  [connection.pace_kbps, connection.reason],
];

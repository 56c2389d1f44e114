import type { ChildProcess } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { freePort } from '../../system/free-port.ts';
import { paceDirectives } from '../nginx/location.ts';
import { forgetRequests, originUrl, useCaseOrigin } from '../testing/case-origin.ts';
import { send } from '../testing/case-requests.ts';
import { paceCases, type PaceCase } from '../testing/pace-cases.ts';
import { findHaproxy, startHaproxy } from './program.ts';

/** Cases in which haproxy.cfg differs from edge/cases.json, grouped by cause; docs/edge/others.md documents them. */
const OTHERWISE: readonly string[] = [
  // HAProxy rejects long requests.
  '64 kB',
  '64 kB of headers',
  'a number of 64 kB',
  'CMCD in the fragment',
  // HAProxy only paces. The other edges also handle redirects, preflights, methods, paths and experiments.
  'a redirect on the same host',
  'a redirect to another host',
  'a redirect below /via/ on its own host',
  'another origin, allowed',
  'another origin, not allowed',
  'a preflight',
  'a preflight that asks for headers of the application',
  'a preflight that asks for what are no headers',
  'a preflight that asks for more headers than anybody sends',
  'a viewer’s token, which the operator does not forward',
  'a method that is not for content',
  'an encoded slash',
  'an encoded backslash',
  'a path that climbs when it is decoded twice',
];
const isOfPlugin = ({ target, headers }: PaceCase): boolean =>
  [target, ...headers.flat()].some((text) => /io\.github\.dashjs-sammy(?!-)/.test(text));
const caseName = ({ name }: PaceCase): string => name.replace("'", '’');

const command = findHaproxy();
const missing = command === undefined ? 'Debian 13’s HAProxy is not downloaded: npm run test:all' : null;
/** Only cases without a floor, ceiling or switch, which haproxy.cfg does not have. */
const cases = paceCases.filter(({ config }) => paceDirectives(config) === paceDirectives({}));
let port: number;
let haproxy: ChildProcess | undefined;

useCaseOrigin(async () => {
  port = await freePort();
  haproxy = command && startHaproxy(command, port, new URL(originUrl()).host);
});
afterAll(() => haproxy?.kill());

it('gives the status and the pace of the table, except for documented differences', async (context) => {
  if (missing !== null) return context.skip(missing);
  await expect
    .poll(() => fetch(`http://127.0.0.1:${port}/v/1.m4s`).then(({ status }) => status, String))
    .toBe(200);
  const otherwise: string[] = [];
  for (const given of cases) {
    forgetRequests();
    const { status, header } = await send(port, given);
    const { pace_kbps = null } = parseReceipt(header);
    // haproxy.cfg paces only the plug-in.
    const expected = isOfPlugin(given) ? given.pace_kbps : null;
    if (status !== given.status || pace_kbps !== expected) otherwise.push(caseName(given));
  }
  expect(otherwise.sort()).toEqual([...OTHERWISE].sort());
  expect(cases.length - otherwise.length).toBeGreaterThan(100);
});

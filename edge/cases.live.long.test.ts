import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, describe, expect, it } from 'vitest';
import {
  kibibytesPerSecond,
  kibibytesPerSecondToKbps,
  kbps,
  kbpsToKibibytesPerSecond,
} from '../src/units.ts';
import { parseReceipt, RECEIPT_HEADERS } from '../src/wire/receipt.ts';
import { missingChainReason, startChain, type Chain } from './chain.ts';
import { curlHttp3 } from './check/curl-http3.ts';
import { INTERNAL_HEADERS } from './internal-headers.ts';
import { selfSigned } from './local/self-signed.ts';
import { paceDirectives } from './nginx/location.ts';
import { missingNginxReason } from './nginx/module.ts';
import { findNginxOfTrixie, type NginxOfTrixie } from './nginx/program.ts';
import type { Nginx } from './nginx/server.ts';
import { expectAnswer, expectReceiptOfNginx, expectVerdict } from './testing/case-answers.ts';
import { createConfig, originUrl, createTarget, useCaseOrigin } from './testing/case-origin.ts';
import { send, type Answer } from './testing/case-requests.ts';
import { startNginxForCases } from './testing/nginx-for-cases.ts';
import type { PaceCase } from './testing/pace-cases.ts';
import { testCases } from './testing/test-cases.ts';
import { FALCO_MISSING, findFalco, lintWithFalco, startFalco, type Falco } from './vcl/falco.ts';

const missing = await missingChainReason();
const lackOfNginx = await missingNginxReason();
let chain: Chain | undefined;
let falco: Falco | undefined;
const missingFalco = missing ?? (findFalco() === undefined ? FALCO_MISSING : null);
const trixie = findNginxOfTrixie();
const lackOfHttp3 =
  lackOfNginx ?? (trixie === undefined ? 'Debian 13’s nginx is not downloaded: npm run test:all' : null);
/** An nginx with HTTP/3, and the client. */
let http3: { nginx: Nginx; ports: Map<string, number>; curl: readonly string[] } | undefined;

useCaseOrigin(async () => {
  if (missing === null) chain = await startChain({ origin: originUrl() });
  if (missingFalco === null) falco = await startFalco({ backendPort: chain?.viceroy.port ?? 0 });
  if (lackOfHttp3 === null && trixie !== undefined) http3 = await startHttp3ForCases(trixie);
});
afterAll(async () => {
  await falco?.close();
  await chain?.close();
  await http3?.nginx.close();
});

testCases('compute', missing, async (given) => {
  await chain?.configure(createConfig(given));
  const answer = await send(chain?.viceroy.port ?? 0, given);
  expectAnswer(given, answer);
  const headers = new Headers();
  for (const name of Object.values(INTERNAL_HEADERS)) {
    const value = answer.header(name);
    if (value !== null) headers.set(name, value);
  }
  expectVerdict(given, headers);
});

testCases('varnish', missing, async (given) => {
  await chain?.configure(createConfig(given));
  const answer = await send(chain?.varnish.port ?? 0, given);
  expectReceipt(given, answer, VARNISH_FLOOR_KBPS);
});

testCases('varnish over HTTP/2', missing, async (given) => {
  await chain?.configure(createConfig(given));
  const answer = await sendOverHttp2(chain?.varnish.url ?? '', given);
  expectAnswer(given, answer);
  const { pace_kbps = null, socket_pace_kbps = pace_kbps, reason } = parseReceipt(answer.header);
  const { connection } = given;
  const own = connection.pace_kbps === null ? null : given.pace_kbps;
  expect([pace_kbps, socket_pace_kbps, reason ?? null]).toEqual([
    own === null ? null : expect.closeTo(inSteps(own), 3),
    connection.pace_kbps === null ? null : expect.closeTo(inSteps(connection.pace_kbps), 3),
    connection.reason,
  ]);
});

testCases('nginx over HTTP/3', lackOfHttp3, async (given) => {
  if (http3 === undefined) throw new Error('nginx did not start');
  const { method, headers } = given;
  const url = `https://127.0.0.1:${http3.ports.get(paceDirectives(given.config))}/`;
  const [answer] = await curlHttp3(http3.curl, [{ url, method, target: createTarget(given), headers }]);
  if (answer === undefined || answer.status === 0)
    throw new Error(`no answer: ${answer?.error ?? 'curl printed nothing'}`);
  expectReceiptOfNginx(given, answer);
});

testCases('falco', missingFalco, async (given) => {
  await chain?.configure(createConfig(given));
  expectReceipt(given, await send(falco?.port ?? 0, given), FASTLY_FLOOR_KBPS);
});

describe('fastly.vcl in falco, before Compute', () => {
  it('passes the linter', async (context) => {
    if (missingFalco !== null) return context.skip(missingFalco);
    await lintWithFalco();
  });
});

async function startHttp3ForCases({
  nginx: program,
  curl,
}: NginxOfTrixie): Promise<NonNullable<typeof http3>> {
  const { cert, key } = await selfSigned();
  const folder = await mkdtemp(join(tmpdir(), 'http3-cases-'));
  const ports = new Map<string, number>();
  try {
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    const listen = (port: number): string =>
      `listen 127.0.0.1:${port} ssl; listen 127.0.0.1:${port} quic;
       ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;`;
    return { nginx: await startNginxForCases(ports, listen, program), ports, curl };
  } finally {
    // nginx has read its configuration and certificates already.
    await rm(folder, { recursive: true, force: true });
  }
}

async function sendOverHttp2(url: string, given: PaceCase): Promise<Answer> {
  const session = connect(url);
  try {
    const headers: Record<string, string[]> = {};
    for (const [name, value] of given.headers) (headers[name] ??= []).push(value);
    const stream = session.request({ ':method': given.method, ':path': createTarget(given), ...headers });
    stream.end();
    const [response] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
    await finished(stream.resume());
    return {
      status: response[':status'] ?? 0,
      header: (name) => response[name.toLowerCase()]?.toString() ?? null,
    };
  } finally {
    session.destroy();
  }
}

/** 128 KB/s, the smallest value of client.socket.pace. */
const FASTLY_FLOOR_KBPS = kibibytesPerSecondToKbps(kibibytesPerSecond(128));

/** The minimum pace of 100 kbit/s, rounded up to a multiple of 1,024 bytes/s: 13 × 1,024 bytes/s = 106.5 kbit/s. */
const VARNISH_FLOOR_KBPS = kibibytesPerSecondToKbps(kibibytesPerSecond(13));

/** 2,097,151 KB/s, the maximum of VCL, because the bytes/s must fit into a signed 32-bit integer. */
const VCL_CEILING_KBPS = kibibytesPerSecondToKbps(kibibytesPerSecond(2_097_151));

/** The pace after VCL's rounding up to a multiple of 1,024 bytes/s. */
const inSteps = (pace_kbps: number): number =>
  kibibytesPerSecondToKbps(kibibytesPerSecond(Math.ceil(kbpsToKibibytesPerSecond(kbps(pace_kbps)))));

/**
 * Checks the headers that a player reads behind VCL: the pace is a multiple of 1,024 bytes/s, and internal headers are
 * removed.
 */
function expectReceipt(given: PaceCase, answer: Answer, floor = kbps(0)): void {
  expectAnswer(given, answer);
  for (const name of Object.values(INTERNAL_HEADERS)) expect(answer.header(name)).toBeNull();
  for (const name of RECEIPT_HEADERS) expect(answer.header(name) ?? '').not.toContain('null');
  const { pace_kbps, reason } = parseReceipt(answer.header);
  if (given.pace_kbps === null) {
    expect({ pace: pace_kbps ?? null, reason: reason ?? null }).toEqual({ pace: null, reason: given.reason });
    return;
  }
  const step = inSteps(given.pace_kbps);
  expect(pace_kbps).toBeCloseTo(Math.min(Math.max(step, floor), VCL_CEILING_KBPS), 3);
  expect(reason).toBe(step < floor ? 'floor' : step > VCL_CEILING_KBPS ? 'ceiling' : given.reason);
}

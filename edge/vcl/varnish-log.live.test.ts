import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { VARNISH_SERVICE } from '../testing/snippet-services.ts';
import { startVarnish, missingVarnishReason } from './varnish.ts';

/** Returns the arguments of the command in docs/edge/observe.md. */
async function documentedArguments(): Promise<string[]> {
  const page = await readFile(new URL('../../docs/edge/observe.md', import.meta.url), 'utf8');
  const [, options = '', format = ''] = /^varnishncsa (.*)-F '([^']+)'$/m.exec(page) ?? [];
  return [...options.trim().split(' ').filter(Boolean), '-F', format];
}

it('the format of varnishncsa in the documentation is JSON with the receipt', async (context) => {
  const missing = missingVarnishReason();
  if (missing !== null) return context.skip(missing);
  const origin = createServer((_, response) => response.end('media')).listen(0, '127.0.0.1');
  await once(origin, 'listening');
  const varnish = await startVarnish({
    backendPort: (origin.address() as AddressInfo).port,
    vcl: VARNISH_SERVICE,
  });
  const args = await documentedArguments();
  const logger = spawn('varnishncsa', ['-n', varnish.instance, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  logger.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  const lines = () => text.split('\n').filter(Boolean);
  try {
    // Retry, because it is unknown when varnishncsa begins to follow the log.
    await expect
      .poll(async () => {
        await fetch(`${varnish.url}/first`);
        return lines().length;
      })
      .toBeGreaterThan(0);
    for (const path of ['/1.m4s?CMCD=rtp%3D5000', '/1.m4s?CMCD=rtp%3D5000', '/2.m4s', '/%22quoted%22.m4s'])
      await (await fetch(varnish.url + path)).text();
    // Varnish answers 400 to an invalid request, which has no first byte, and logs nothing if it cannot parse the request.
    for (const lines of ['/\xff.m4s', '/"\\', '/\x01', '/hosts HTTP/1.1\r\nHost: b']) {
      const [target, rest = 'HTTP/1.1'] = lines.split(/ (.*)/s);
      const client = connect(varnish.port, '127.0.0.1', () => {
        client.write(`GET ${target} ${rest}\r\nHost: a\r\nConnection: close\r\n\r\n`, 'latin1');
      });
      await once(client.resume(), 'close');
    }
    const logged = () =>
      lines()
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ path }) => path !== '/first');
    await expect.poll(() => logged().length).toBe(7);
    expect(logged().map(({ path, status, handling }) => [path, status, handling])).toEqual([
      ['/1.m4s', 200, 'miss'],
      ['/1.m4s', 200, 'hit'],
      ['/2.m4s', 200, 'miss'],
      ['/%22quoted%22.m4s', 200, 'miss'],
      // This origin refuses the path.
      ['/\u{fffd}.m4s', 400, 'miss'],
      ['/"\\', 200, 'miss'],
      ['/hosts', 400, '-'],
    ]);
    const receipts = logged().map(({ receipt }) =>
      parseReceipt((name) => (name === 'CMSD-Dynamic' ? String(receipt) : null)),
    );
    // 5,000 kbit/s are rounded up to 611 steps of 1,024 bytes/s (8.192 kbit/s).
    expect(receipts.slice(0, 4).map(({ pace_kbps }) => pace_kbps ?? null)).toEqual([
      5005.312,
      5005.312,
      null,
      null,
    ]);
    for (const { first_byte_s, bytes, time, handling } of logged()) {
      expect(Number(first_byte_s) > 0).toBe(handling !== '-');
      expect(typeof bytes).toBe('number');
      expect(Date.parse(String(time))).toBeGreaterThan(Date.now() - 60_000);
    }
  } finally {
    logger.kill();
    await varnish.close();
    origin.closeAllConnections();
    origin.close();
  }
});

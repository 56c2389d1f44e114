import { once } from 'node:events';
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';
import { connect, type ClientHttp2Session } from 'node:http2';
import type { Readable } from 'node:stream';

/**
 * Downloads at the given paces, in the client's network namespace, and prints the ratio of each one's goodput to its pace as
 * JSON.
 *
 *    node --import tsx bench/nginx/client.ts KIND HOST PORT SECONDS RATE_KBPS...
 *
 * With KIND http, https or h2, every rate has its own connection; with h2-shared, all rates share one connection.
 */
const [kind = '', host = '', port = '', seconds = '', ...rates] = process.argv.slice(2);

const WINDOW = 2 ** 24;

function openSession(): ClientHttp2Session {
  const session = connect(`https://${host}:${port}`, {
    rejectUnauthorized: false,
    settings: { initialWindowSize: WINDOW },
  });
  session.once('connect', () => session.setLocalWindowSize(WINDOW));
  return session;
}

const shared = kind === 'h2-shared' ? openSession() : null;

async function open(path: string, headers: Record<string, string>): Promise<Readable> {
  if (kind === 'http' || kind === 'https') {
    const get = kind === 'http' ? httpGet : httpsGet;
    const request = get(`${kind}://${host}:${port}${path}`, {
      headers,
      agent: false,
      rejectUnauthorized: false,
    });
    const [response] = (await once(request, 'response')) as [Readable];
    return response;
  }
  const session = shared ?? openSession();
  const stream = session.request({ ':path': path, ...headers });
  stream.once('close', () => session !== shared && session.destroy());
  await once(stream, 'response');
  return stream;
}

/** Goodput over pace. The first fifth of the bytes is left out, because the kernel sends the start unpaced. */
async function ratio(rate_kbps: number): Promise<number> {
  const bytes = Math.round((rate_kbps * 1000 * Number(seconds)) / 8);
  const body = await open(`/film?CMCD=rtp%3D${rate_kbps}`, { Range: `bytes=0-${bytes - 1}` });
  let [received, last] = [0, 0];
  let start: { received: number; time: number } | null = null;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    received += chunk.length;
    last = performance.now();
    if (received > bytes / 5) start ??= { received, time: last };
  }
  if (start === null || received !== bytes) throw new Error(`${received} bytes came of ${bytes}`);
  return ((received - start.received) * 8) / (last - start.time) / rate_kbps;
}

const ratios = await Promise.all(rates.map(async (rate) => [rate, await ratio(Number(rate))] as const));
shared?.destroy();
console.log(JSON.stringify(Object.fromEntries(ratios)));

import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../system/free-port.ts';
import { findPrometheus } from '../deploy/prometheus/program.ts';
import { asanLibrary, ensureModule, missingNginxReason } from './module.ts';
import { startNginx, type Nginx } from './server.ts';

const missing = await missingNginxReason();
const SEGMENT_BYTES = 100_000;
const PREFIX = 'dashjs_sammy_edge_';

let directory: string;
let module: string;
let complaints: string[];
let nginx: Nginx | undefined;

async function start(workers: number): Promise<string> {
  const port = await freePort();
  nginx = await startNginx({
    module,
    port,
    workers,
    preload: await asanLibrary(),
    onLine: (line) => {
      if (/Sanitizer|runtime error|exited on signal|\[(alert|emerg)\]/.test(line)) complaints.push(line);
    },
    http: `server { listen 127.0.0.1:${port} reuseport; root ${directory}; cmcd_pace on;
      location = /metrics { cmcd_pace_metrics; allow 127.0.0.1; deny all; } }`,
  });
  return `http://127.0.0.1:${port}`;
}

/** Sends each request on its own connection, so that all workers get some. */
const get = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end();
  });

const read = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();

/** Returns the samples by name and labels, without the prefix. */
const readSamples = (text: string): Record<string, number> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.startsWith(PREFIX))
      .map((line) => [
        line.slice(PREFIX.length, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' '))),
      ]),
  );

describe.skipIf(missing !== null)(`cmcd_pace_metrics${missing === null ? '' : `: ${missing}`}`, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'nginx-metrics-'));
    await writeFile(join(directory, '1.m4s'), Buffer.alloc(SEGMENT_BYTES, 'film'));
    // The file is larger than the kernel's buffers.
    await writeFile(join(directory, 'large.m4s'), Buffer.alloc(20_000_000, 'film'));
    module = await ensureModule(() => undefined, { sanitize: true });
  }, 240_000);
  afterEach(() => nginx?.close());
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it('counts the responses of all workers by status and reason, even across a reload', async () => {
    complaints = [];
    const url = await start(4);
    const ask = async (count: number) => {
      const queries = ['?CMCD=rtp%3D50000', '', '?CMCD=rtp%3Dx', '?CMCD=rtp%3D1&CMCD=rtp%3D2'];
      for (let turn = 0; turn < count; turn++)
        await Promise.all(queries.map((query) => get(`${url}/1.m4s${query}`)));
      await get(`${url}/none.m4s?CMCD=rtp%3D50000`);
    };
    await ask(10);
    const expected = (turns: number, asked: number) => ({
      'responses_total{status="200",reason="requested"}': turns,
      'responses_total{status="200",reason="no-rtp"}': turns,
      'responses_total{status="200",reason="refused:not-a-number"}': turns,
      'responses_total{status="200",reason="refused:disagreeing"}': turns,
      'responses_total{status="404",reason="error-response"}': asked,
      'complete_body_bytes_total{paced="true"}': turns * SEGMENT_BYTES,
      'incomplete_responses_total{cut_by="client"}': 0,
      'incomplete_responses_total{cut_by="origin"}': 0,
    });
    // A response is counted when nginx has logged it, possibly after the client has received it.
    await expect.poll(async () => readSamples(await read(url))).toMatchObject(expected(10, 1));
    // The sum also includes the page of the 404.
    const samples = readSamples(await read(url));
    expect(samples.body_bytes_total).toBeGreaterThanOrEqual(40 * SEGMENT_BYTES);
    expect(Object.keys(samples).filter((name) => name.startsWith('responses_total'))).toHaveLength(5);

    await nginx?.reload();
    await ask(1);
    await expect.poll(async () => readSamples(await read(url))).toMatchObject(expected(11, 2));
    expect(complaints).toEqual([]);
  });

  it('counts clients that disconnect', async () => {
    complaints = [];
    const url = await start(1);
    const gone = request(`${url}/large.m4s?CMCD=rtp%3D1000`, { agent: false }, (response) => {
      response.once('data', () => gone.destroy()).on('error', () => undefined);
    }).on('error', () => undefined);
    gone.end();
    await expect
      .poll(async () => readSamples(await read(url))['incomplete_responses_total{cut_by="client"}'])
      .toBe(1);
    expect(complaints).toEqual([]);
  });

  it("is in Prometheus's text format", async (context) => {
    const prometheus = findPrometheus();
    if (prometheus === undefined) return context.skip('no promtool: npm run test:all');
    complaints = [];
    const url = await start(1);
    await get(`${url}/1.m4s`);
    const text = await read(url);
    expect(execFileSync(prometheus.promtool, ['check', 'metrics'], { input: text, encoding: 'utf8' })).toBe(
      '',
    );
  });

  it('answers only GET and HEAD, and only where enabled', async () => {
    complaints = [];
    const url = await start(1);
    expect((await fetch(`${url}/metrics`, { method: 'POST', body: 'x' })).status).toBe(405);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    expect(complaints).toEqual([]);
  });
});

import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../system/free-port.ts';
import { ensureModule, missingNginxReason } from './nginx/module.ts';
import { PROXY_CONF, startNginx } from './nginx/server.ts';
import { FASTLY_SERVICE, snippet, VARNISH_SERVICE } from './testing/snippet-services.ts';
import { listSpellings } from './testing/spellings.ts';
import { FALCO_MISSING, findFalco, startFalco } from './vcl/falco.ts';
import { startVarnish, missingVarnishReason } from './vcl/varnish.ts';

/**
 * Tests every cache recipe of the documentation and of examples/, in front of an origin that matches paths exactly and
 * whose errors may be cached. A request with another spelling of a segment's path must not change the responses to
 * other clients.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const PRINTED = {
  nginx: [...(await printedWith('proxy_cache_path')), await example('nginx/edge.conf')],
  varnish: [
    ...(await printedWith('include "/etc/varnish/varnish-recv.vcl"')),
    await example('varnish/default.vcl'),
  ],
};
const varnishIsMissing = missingVarnishReason();
const nginxIsMissing = await missingNginxReason();

interface Front {
  readonly port: number;
  close(): Promise<void>;
}

const recipes: Record<string, { missing: string | null; start: (originPort: number) => Promise<Front> }> = {
  ...Object.fromEntries(
    PRINTED.nginx.map(({ file, text }) => [
      `nginx as ${file} has it`,
      { missing: nginxIsMissing, start: (originPort: number) => startNginxAs(text, originPort) },
    ]),
  ),
  ...Object.fromEntries(
    PRINTED.varnish.map(({ file, text }) => [
      `Varnish as ${file} has it`,
      { missing: varnishIsMissing, start: (originPort: number) => startVarnishAs(text, originPort) },
    ]),
  ),
  "Varnish with the snippets in an owner's VCL": {
    missing: varnishIsMissing,
    start: (backendPort) => startVarnish({ backendPort, vcl: VARNISH_SERVICE }),
  },
  'Fastly with the snippets, in falco': {
    missing: findFalco() === undefined ? FALCO_MISSING : null,
    start: async (originPort) =>
      startFalco({ backendPort: await freePort(), originPort, vcl: FASTLY_SERVICE }),
  },
};

it('finds the recipes that the documentation prints', () => {
  for (const recipes of Object.values(PRINTED)) expect(recipes.length).toBeGreaterThan(1);
});

describe.each(Object.entries(recipes))('%s', (_, { missing, start }) => {
  let origin: Server;
  let front: Front;
  let asked: string[] = [];

  beforeAll(async () => {
    if (missing !== null) return;
    origin = createServer((message, response) => {
      const path = message.url ?? '';
      asked.push(path);
      const is = /^\/seg\/\d+\.m4s$/.test(path);
      response
        .writeHead(is ? 200 : 404, { 'Cache-Control': 'max-age=60', 'Content-Type': 'video/mp4' })
        .end(`${is ? 'media' : 'nothing'} ${path}`);
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    front = await start((origin.address() as AddressInfo).port);
  }, 240_000);
  afterAll(async () => {
    if (missing !== null) return;
    await front.close();
    origin.closeAllConnections();
    origin.close();
  });

  const ask = async (path: string): Promise<string> => {
    const headers = { Host: 'localhost' };
    const sent = request({ port: front.port, host: '127.0.0.1', path, headers, agent: false });
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    let body = '';
    for await (const chunk of response.setEncoding('utf8')) body += String(chunk);
    return body;
  };

  for (const [index, name] of Object.keys(listSpellings('/seg/0.m4s')).entries()) {
    it(`serves the segment to all clients, whichever requested it first with ${name}`, async (context) => {
      if (missing !== null) return context.skip(missing);
      const path = `/seg/${index}.m4s`;
      const spelling = listSpellings(path)[name] ?? '';
      await ask(spelling);
      expect(await ask(path)).toBe(`media ${path}`);
      await ask(`${spelling}?CMCD=rtp%3D9000`);
      asked = [];
      expect(await ask(`${path}?CMCD=rtp%3D5000`)).toBe(`media ${path}`);
      expect(asked, 'it is in the cache').toEqual([]);
    });
  }

  it('does not send the origin CMCD of an absolute URL without a path', async () => {
    if (missing !== null) return;
    asked = [];
    for (const rtp of [5000, 6000]) await ask(`http://localhost?CMCD=rtp%3D${rtp}`);
    expect(asked).toHaveLength(1);
    expect(asked[0]).not.toContain('CMCD');
  });
});

async function example(name: string): Promise<{ file: string; text: string }> {
  const file = `examples/${name}`;
  return { file, text: await readFile(join(root, file), 'utf8') };
}

/** Returns the code blocks of the documentation that contain `part`. */
async function printedWith(part: string): Promise<{ file: string; text: string }[]> {
  const found: { file: string; text: string }[] = [];
  for (const folder of ['edge', 'docs']) {
    const names = await readdir(join(root, folder), { recursive: true }).catch(() => []);
    for (const name of names.filter((each) => each.endsWith('.md') && !each.includes('node_modules'))) {
      const blocks = (await readFile(join(root, folder, name), 'utf8')).matchAll(/^```\w*\n(.*?)^```/gms);
      for (const [, text = ''] of blocks)
        if (text.includes(part)) found.push({ file: `${folder}/${name}`, text });
    }
  }
  return found;
}

/** Runs a documented default.vcl. Only the addresses and the paths of the snippets are replaced. */
const startVarnishAs = (text: string, backendPort: number): Promise<Front> =>
  startVarnish({
    backendPort,
    vcl: text
      .replace(/\.host = "[^"]*"; .port = "\d+"/, `.host = "127.0.0.1"; .port = "${backendPort}"`)
      .replace(/include "\/etc\/varnish\/([\w-]+\.vcl)";/g, (_, name: string) => snippet(name)),
  });

/** Runs a documented nginx server. Only the addresses are replaced, and TLS is removed. */
async function startNginxAs(text: string, originPort: number): Promise<Front> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'nginx-recipe-'));
  const http = text
    .replace(/(?<=proxy_cache_path )\S+/, join(folder, 'cache'))
    .replace(/(?<=upstream origin \{ server )[^;]+/, `127.0.0.1:${originPort}`)
    .replace(/listen [^;]*;/, `listen 127.0.0.1:${port};`)
    .replace(/include \S*proxy\.conf;/, `include ${PROXY_CONF};`);
  const nginx = await startNginx({ module: await ensureModule(() => undefined), port, http });
  return {
    port,
    async close() {
      await nginx.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

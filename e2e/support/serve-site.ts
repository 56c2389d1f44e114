import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { AddressInfo } from 'node:net';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

export interface Site {
  readonly url: string;
  /** Returns the number of compressed bytes sent since the last call, by path. */
  take(): ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Serves a folder like a host for static pages: with gzip, and `page.html` as `/page`. */
export async function serveSite(folder: string): Promise<Site> {
  let sent = new Map<string, number>();
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    void readFile(join(folder, path))
      .catch(() => readFile(join(folder, `${path}.html`)))
      .then(
        (file) => {
          const body = gzipSync(file, { level: 9 });
          sent.set(pathname, body.length);
          response.setHeader('Content-Type', TYPES[extname(path) || '.html'] ?? 'application/octet-stream');
          response.setHeader('Content-Encoding', 'gzip').end(body);
        },
        () => response.writeHead(404).end(),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = sent;
      sent = new Map();
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

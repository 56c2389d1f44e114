import { expect, it } from 'vitest';
import { HttpCache } from './http-cache.ts';
import type { WireRequest, Head, Listener } from './wire.ts';

const asked = (url: string, headers: Record<string, string> = {}): WireRequest => ({
  ...{ url, method: 'GET', body: undefined, initiator: 'fetch' },
  headers: new Map(Object.entries(headers)),
});

/** A server with a single file, and a record of the requests and of the events that a page receives. */
function setUp(response: Record<string, string> = {}) {
  const file = { etag: '"1"', bytes: 1000 };
  const seen: (string | undefined)[] = [];
  const heard: unknown[] = [];
  const cache = new HttpCache({
    ask({ headers }, listener) {
      const same = headers.get('if-none-match') === file.etag;
      seen.push(headers.get('if-none-match'));
      const fields = { etag: file.etag, 'server-timing': `answer-${seen.length}`, ...response };
      const head: Head = {
        ...{ status: same ? 304 : 200, statusText: '', size_bytes: same ? undefined : file.bytes },
        headers: new Map(Object.entries(fields)),
      };
      listener.began(head, { write: () => undefined });
      if (!same) listener.arrived(file.bytes);
      listener.ended(same ? 0 : file.bytes);
      return () => undefined;
    },
  });
  const listener: Listener = {
    began: ({ status, headers, transfer_bytes }) =>
      heard.push(status, headers.get('server-timing'), transfer_bytes),
    arrived: () => undefined,
    ended: (bytes) => heard.push(bytes),
    failed: () => undefined,
  };
  const ask = (url = '/a', headers = {}) => {
    heard.length = 0;
    cache.ask(asked(url, headers), listener);
    return [...heard];
  };
  return { ask, seen, file };
}

it('revalidates cached files, and answers with the cached body and the new headers', () => {
  const { ask, seen } = setUp();
  expect(ask()).toEqual([200, 'answer-1', undefined, 1000]);
  expect(ask()).toEqual([200, 'answer-2', 0, 1000]);
  expect(seen).toEqual([undefined, '"1"']);
});

it('replaces a file that has changed', () => {
  const { ask, file } = setUp();
  ask();
  Object.assign(file, { etag: '"2"', bytes: 500 });
  expect(ask()).toEqual([200, 'answer-2', undefined, 500]);
  expect(ask()).toEqual([200, 'answer-3', 0, 500]);
});

it('caches neither parts, nor other URLs, nor uncacheable responses', () => {
  const { ask, seen } = setUp();
  ask('/a', { range: 'bytes=0-9' });
  ask('/a');
  ask('/b');
  expect(seen).toEqual([undefined, undefined, undefined]);
  const secret = setUp({ 'cache-control': 'no-store' });
  secret.ask();
  secret.ask();
  expect(secret.seen).toEqual([undefined, undefined]);
});

it('removes the oldest entries above 64 MB', () => {
  const { ask, seen, file } = setUp();
  file.bytes = 40 * 2 ** 20;
  for (const url of ['/a', '/b', '/b', '/a']) ask(url);
  expect(seen).toEqual([undefined, undefined, '"1"', undefined]);
});

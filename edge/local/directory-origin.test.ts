import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Origin } from '../origin.ts';
import { directoryOrigin } from './directory-origin.ts';

const modified = new Date('2026-01-02T03:04:05Z');
let root: string;
let origin: Origin;

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'directory-origin-'));
  root = join(folder, 'public');
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(root, '.git'));
  writeFileSync(join(folder, 'secret'), 'secret');
  writeFileSync(join(root, 'ten'), '0123456789');
  writeFileSync(join(root, 'empty.mp4'), '');
  writeFileSync(join(root, 'sub', 'a b.mpd'), '<MPD/>');
  writeFileSync(join(root, '.hidden'), 'secret');
  writeFileSync(join(root, '.git', 'config'), 'secret');
  writeFileSync(join(folder, 'public-too'), 'secret');
  symlinkSync(join(folder, 'secret'), join(root, 'escape'));
  symlinkSync(folder, join(root, 'up'));
  symlinkSync(join(root, '.hidden'), join(root, 'unhidden'));
  symlinkSync(join(root, 'ten'), join(root, 'alias'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'pipe')]);
  utimesSync(join(root, 'ten'), modified, modified);
  origin = await directoryOrigin(root);
});
afterAll(() => rmSync(join(root, '..'), { recursive: true }));

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  origin(new Request(`http://edge${path}`, { method, headers }));

describe('files', () => {
  it('have type, length and validators', async () => {
    const answer = await ask('/ten');
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('0123456789');
    expect(answer.headers.get('Content-Length')).toBe('10');
    expect(answer.headers.get('Accept-Ranges')).toBe('bytes');
    expect(answer.headers.get('Last-Modified')).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
    expect(answer.headers.get('ETag')).toMatch(/^"[^"]+"$/);
    expect((await ask('/sub/a%20b.mpd')).headers.get('Content-Type')).toBe('application/dash+xml');
  });

  it('may be empty, or linked to within the directory', async () => {
    expect(await (await ask('/empty.mp4')).text()).toBe('');
    expect(await (await ask('/alias')).text()).toBe('0123456789');
  });

  it('end for a reader with its own buffer, and return the buffer', async () => {
    for (const [path, bytes] of [
      ['/ten', 10],
      ['/empty.mp4', 0],
    ] as const) {
      const { body } = await ask(path);
      const reader = body?.getReader({ mode: 'byob' });
      let read = 0;
      for (;;) {
        const result = await reader?.read(new Uint8Array(4));
        read += result?.value?.length ?? 0;
        if (result?.done === false) continue;
        // The value is defined, because only a failed or canceled stream returns no buffer.
        expect(result?.value?.buffer.byteLength).toBe(4);
        break;
      }
      expect(read).toBe(bytes);
    }
  });

  it('answer HEAD', async () => {
    const answer = await ask('/ten', {}, 'HEAD');
    expect(answer.body).toBeNull();
    expect(answer.headers.get('Content-Length')).toBe('10');
  });

  it.each([
    '/',
    '/sub',
    '/sub/',
    '/missing',
    '/ten/',
    '/ten/x',
    '//ten',
    '/../secret',
    '/%2e%2e/secret',
    '/..%2fsecret',
    '/sub/..%2f..%2fsecret',
    '/..%5csecret',
    '/sub%2f..%2f..%2fsecret',
    '/../public-too',
    '/etc/passwd',
    '/%2fetc%2fpasswd',
    '/ten%00.mp4',
    '/%',
    '/%ff',
    '/escape',
    '/up/secret',
    '/.hidden',
    '/.git/config',
    '/unhidden',
    '/pipe',
  ])('answer 404 for %s', async (path) => {
    const answer = await ask(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toMatch(/^there is no file /);
  });
});

describe('ranges', () => {
  it.each([
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-99', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=10-', 416, 'the file has 10 bytes\n', 'bytes */10'],
    ['bytes=0-1,3-4', 200, '0123456789', null],
  ])('%s', async (range, status, body, contentRange) => {
    const answer = await ask('/ten', { Range: range });
    expect(answer.status).toBe(status);
    expect(answer.headers.get('Content-Range')).toBe(contentRange);
    expect(await answer.text()).toBe(body);
  });

  it('apply only to the version of which the client has a part', async () => {
    const etag = (await ask('/ten')).headers.get('ETag') ?? '';
    const status = async (condition: string) =>
      (await ask('/ten', { Range: 'bytes=0-0', 'If-Range': condition })).status;
    expect(await status(etag)).toBe(206);
    expect(await status('Fri, 02 Jan 2026 03:04:05 GMT')).toBe(206);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${etag}`)).toBe(200);
    expect(await status('Thu, 01 Jan 2026 00:00:00 GMT')).toBe(200);
  });
});

describe('conditional requests', () => {
  it('avoid sending what the client already has', async () => {
    const etag = (await ask('/ten')).headers.get('ETag') ?? '';
    const status = async (headers: Record<string, string>) => (await ask('/ten', headers)).status;
    expect(await status({ 'If-None-Match': etag })).toBe(304);
    expect(await status({ 'If-None-Match': `"x", W/${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '"x"' })).toBe(200);
    expect(await status({ 'If-Modified-Since': modified.toUTCString() })).toBe(304);
    expect(await status({ 'If-Modified-Since': new Date(0).toUTCString() })).toBe(200);
    // RFC 9110 §13.1.1 and §13.1.4: a version that differs from the client's is refused.
    expect(await status({ 'If-Match': etag })).toBe(200);
    expect(await status({ 'If-Match': `"x", ${etag}` })).toBe(200);
    expect(await status({ 'If-Match': '*' })).toBe(200);
    expect(await status({ 'If-Match': '"x"' })).toBe(412);
    expect(await status({ 'If-Match': `W/${etag}` })).toBe(412);
    expect(await status({ 'If-Match': '"x"', Range: 'bytes=0-0' })).toBe(412);
    expect(await status({ 'If-Unmodified-Since': modified.toUTCString() })).toBe(200);
    expect(await status({ 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).toBe(412);
    expect(await status({ 'If-Unmodified-Since': 'yesterday' })).toBe(200);
    // If-Match takes precedence over If-Unmodified-Since, and both take precedence over the conditions for 304.
    expect(await status({ 'If-Match': etag, 'If-Unmodified-Since': new Date(0).toUTCString() })).toBe(200);
    expect(await status({ 'If-Match': '"x"', 'If-None-Match': etag })).toBe(412);
    // RFC 9110 §13.1.3: If-None-Match takes precedence over If-Modified-Since.
    expect(await status({ 'If-None-Match': '"x"', 'If-Modified-Since': modified.toUTCString() })).toBe(200);
  });
});

describe('reading', () => {
  /** The number of descriptors that this process has open for the file. */
  const openFiles = async (name: string) => {
    const descriptors = await readdir('/proc/self/fd');
    const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return paths.filter((path) => path === join(root, name)).length;
  };

  it.skipIf(process.platform !== 'linux')('closes its files in every case', async () => {
    writeFileSync(join(root, 'large'), Buffer.alloc(4_000_000));
    const unread = await ask('/large');
    expect(await openFiles('large')).toBe(1);
    await unread.body?.cancel();
    await (await ask('/large')).arrayBuffer();
    await (await ask('/large')).body?.cancel();
    const reader = (await ask('/large')).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await ask('/large', {}, 'HEAD');
    await ask('/large', { Range: 'bytes=9999999-' });
    expect(await openFiles('large')).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'closes a file that is not read for a while, and opens it again',
    async () => {
      const content = Buffer.alloc(300_000, 'media');
      writeFileSync(join(root, 'slow'), content);
      const reader = (await ask('/slow')).body?.getReader();
      const parts = [(await reader?.read())?.value ?? new Uint8Array()];
      expect(await openFiles('slow')).toBe(1);
      await expect.poll(() => openFiles('slow'), { timeout: 10_000 }).toBe(0);
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read())
        parts.push(part.value);
      expect(Buffer.concat(parts).equals(content)).toBe(true);
      expect(await openFiles('slow')).toBe(0);
    },
  );

  it.skipIf(process.platform !== 'linux')(
    'does not continue with another file of the same name',
    async () => {
      writeFileSync(join(root, 'replaced'), Buffer.alloc(300_000, 'old'));
      const reader = (await ask('/replaced')).body?.getReader();
      await reader?.read();
      await expect.poll(() => openFiles('replaced'), { timeout: 10_000 }).toBe(0);
      writeFileSync(join(root, 'new'), Buffer.alloc(300_000, 'new'));
      renameSync(join(root, 'new'), join(root, 'replaced'));
      await expect(reader?.read()).rejects.toThrow('the file changed while it was served');
      expect(await openFiles('replaced')).toBe(0);
    },
  );

  it.skipIf(process.platform !== 'linux')('answers 503, not 404, when no more files can be opened', () => {
    const module = JSON.stringify(new URL('directory-origin.ts', import.meta.url).href);
    const script = `
      import { openSync, readdirSync, readlinkSync } from 'node:fs';
      import { setTimeout as sleep } from 'node:timers/promises';
      const { directoryOrigin } = await import(${module});
      const origin = await directoryOrigin(${JSON.stringify(root)});
      const ask = async () => {
        const answer = await origin(new Request('http://edge/ten'));
        await answer.text();
        return answer.status;
      };
      const first = await ask();
      // A descriptor is closed shortly after the body's end.
      const isOpen = (fd) => {
        try {
          return readlinkSync('/proc/self/fd/' + fd).endsWith('/ten');
        } catch {
          return false;
        }
      };
      while (readdirSync('/proc/self/fd').some(isOpen)) await sleep(5);
      try { for (;;) openSync('/dev/null'); } catch { console.log(first, await ask()); }`;
    const node = [process.execPath, '--import', 'tsx', '--input-type=module', '-e', script];
    const output = execFileSync('sh', ['-c', 'ulimit -n 200 && exec "$@"', 'sh', ...node]);
    expect(output.toString()).toBe('200 503\n');
  });

  it('fails if the file shrinks during the response', async () => {
    writeFileSync(join(root, 'shrinking'), Buffer.alloc(4_000_000));
    const answer = await ask('/shrinking');
    truncateSync(join(root, 'shrinking'), 1000);
    await expect(answer.arrayBuffer()).rejects.toThrow('the file became shorter while it was served');
  });
});

it('refuses what is not a directory', async () => {
  await expect(directoryOrigin(join(root, 'missing'))).rejects.toThrow(
    /^the origin '.*' does not exist; give a directory/,
  );
  await expect(directoryOrigin(join(root, 'ten'))).rejects.toThrow(/^the origin '.*' is not a directory/);
});

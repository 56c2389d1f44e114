import { expect, it } from 'vitest';
import { ranged } from './ranged.ts';

const CONTENT = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
const origin = ranged(async ({ url }) =>
  Promise.resolve(
    url.endsWith('/there')
      ? new Response(CONTENT, { headers: { 'Content-Length': '1000', 'Content-Type': 'video/iso.segment' } })
      : new Response('nothing', { status: 404 }),
  ),
);
const ask = (headers: Record<string, string>, name = 'there', method = 'GET') =>
  origin(new Request(`http://film.example/${name}`, { headers, method }));

it.each([
  ['bytes=0-99', 0, 100],
  ['bytes=990-', 990, 1000],
  ['bytes=900-5000', 900, 1000],
  ['bytes=-10', 990, 1000],
])('answers %s', async (range, first, end) => {
  const answer = await ask({ Range: range });
  expect(answer.status).toBe(206);
  expect(answer.headers.get('Content-Range')).toBe(`bytes ${first}-${end - 1}/1000`);
  expect(answer.headers.get('Content-Length')).toBe(String(end - first));
  expect(answer.headers.get('Content-Type')).toBe('video/iso.segment');
  expect(new Uint8Array(await answer.arrayBuffer())).toEqual(CONTENT.slice(first, end));
});

it.each([[{}], [{ Range: 'bytes=0-1,5-6' }], [{ Range: 'bytes=0-9', 'If-Range': '"another"' }]])(
  'sends the complete file to %j',
  async (headers) => {
    const answer = await ask(headers);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('Content-Length')).toBe('1000');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(CONTENT);
  },
);

it('rejects a range beyond the end, and does not cut an error response', async () => {
  const beyond = await ask({ Range: 'bytes=1000-' });
  expect([beyond.status, beyond.headers.get('Content-Range')]).toEqual([416, 'bytes */1000']);
  expect((await ask({ Range: 'bytes=0-1' }, 'nowhere')).status).toBe(404);
});

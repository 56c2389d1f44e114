import { selectRange } from './byte-range.ts';
import { plainResponse, type Origin } from './origin.ts';

/**
 * Adds support for ranges to an origin that sends some of its files only completely, and from memory: the requested part is
 * cut out of the complete response.
 */
export const ranged =
  (origin: Origin): Origin =>
  async (request) => {
    const answer = await origin(request);
    const asked = request.headers.get('Range');
    // With If-Range, a 200 is correct: the client's copy is outdated, so it needs the whole file (RFC 9110 §13.1.5).
    const isWhole = asked === null || answer.status !== 200 || request.headers.has('If-Range');
    if (isWhole || request.method !== 'GET') return answer;
    const content = new Uint8Array(await answer.arrayBuffer());
    const size = content.length;
    const range = selectRange(asked, size);
    if (range === 'unsatisfiable')
      return plainResponse(416, `the file has ${size} bytes`, { 'Content-Range': `bytes */${size}` });
    if (range === 'whole') return new Response(content, answer);
    const part = content.subarray(range.first, range.last + 1);
    const headers = new Headers(answer.headers);
    headers.set('Content-Length', String(part.length));
    headers.set('Content-Range', `bytes ${range.first}-${range.last}/${size}`);
    return new Response(part, { status: 206, headers });
  };

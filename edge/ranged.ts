import { selectRange } from './byte-range.ts';
import { plainResponse, type Origin } from './origin.ts';

/**
 * Adds support for ranges to an origin that serves some of its files only completely. The requested part is cut out of
 * the complete response, in memory.
 */
export const ranged =
  (origin: Origin): Origin =>
  async (request) => {
    const answer = await origin(request);
    const asked = request.headers.get('Range');
    // With If-Range, a 200 means that the client's copy is outdated, so it needs the complete file (RFC 9110 §13.1.5).
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

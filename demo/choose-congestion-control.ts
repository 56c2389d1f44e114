import type { Handler } from '../edge/handler.ts';
import { takeVerdict, writeVerdict } from '../edge/internal-headers.ts';

/**
 * Lets a request choose the congestion control of its response with the query parameter `cc=NAME`. The parameter is
 * removed before the handler sees the request. The edge applies the algorithm as if the handler's verdict had named it,
 * if the machine supports it.
 */
export const chooseCongestionControl =
  (handler: Handler): Handler =>
  async (request) => {
    const url = new URL(request.url);
    const parts = url.search.slice(1).split('&');
    const name = parts.find((part) => part.startsWith('cc='))?.slice('cc='.length);
    if (name === undefined) return handler(request);
    url.search = parts.filter((part) => !part.startsWith('cc=')).join('&');
    const answer = await handler(new Request(url, request));
    const verdict = takeVerdict(answer.headers);
    // The name stays percent-encoded, so that it is always a valid header value.
    if (verdict) writeVerdict(answer.headers, { ...verdict, congestionControl: name });
    return answer;
  };

import type { Handler } from '../edge/handler.ts';
import { takeVerdict, writeVerdict } from '../edge/internal-headers.ts';

/**
 * Lets a request choose its response's congestion control with `cc=NAME`, which the handler does not get to see. The
 * edge sets it as any other that a verdict names, if the machine has it.
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
    // Still percent-encoded, so that a header can hold it, whatever it is.
    if (verdict) writeVerdict(answer.headers, { ...verdict, congestionControl: name });
    return answer;
  };

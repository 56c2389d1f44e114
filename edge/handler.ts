import { CLIENT_AS_HEADER } from './cluster.ts';
import { splitCmcdQuery, CMCD_HEADERS } from './cmcd.ts';
import { assignRequest, type EdgeExperiments } from './experiments.ts';
import { allowPage, METHODS, preflightResponse } from './cors.ts';
import { INTERNAL_HEADERS, writeVerdict } from './internal-headers.ts';
import { keepPrivate } from './headers/keep-private.ts';
import { plainResponse, type Origin } from './origin.ts';
import { completeVerdict, decidePace, unpaced, type ResponsePolicy } from './policy.ts';

/** The edge's interface to every runtime: edge/local with Node's sockets, and Fastly Compute behind VCL. */
export type Handler = (request: Request) => Promise<Response>;

export interface HandlerOptions extends ResponsePolicy {
  readonly origin: Origin;
  /** Origins (see `pageOrigin`) of the pages whose players may send credentials. */
  readonly credentialsOrigins?: readonly string[];
  /** The experiments; none by default. */
  readonly experiments?: EdgeExperiments;
  /** Called with one-line messages for the operator, which may have details that are not sent to clients. */
  readonly onProblem?: (line: string) => void;
}

/**
 * The edge: decides the pace of each response from its request, gets the content from the origin, and passes the
 * verdict in internal headers to the layer that owns the client's socket.
 */
export function createHandler(options: HandlerOptions): Handler {
  const { origin, limits, onProblem = () => undefined } = options;
  const withCredentials = new Set(options.credentialsOrigins);
  return async (request) => {
    if (request.method === 'OPTIONS') return preflightResponse(request, withCredentials);
    const asked = decidePace(request, limits);
    const answer =
      request.method === 'GET' || request.method === 'HEAD'
        ? await askOrigin(origin, request, onProblem)
        : plainResponse(405, `${request.method} is not supported; use ${METHODS}`, { Allow: METHODS });

    const headers = new Headers(answer.headers);
    allowPage(headers, request, withCredentials);
    const assigned = options.experiments ? assignRequest(request, options.experiments) : null;
    if (assigned) {
      headers.append('Server-Timing', assigned.told);
      // A cache must not reuse a session's assignment for another session.
      keepPrivate(headers);
    }
    // Error responses are never paced: they are small, and the player waits for them before it retries.
    const isContent = answer.ok || answer.status === 304;
    const reason = !isContent ? 'error-response' : assigned?.paces === false ? 'experiment' : null;
    const served = reason === null ? asked : unpaced(reason, asked.asked);
    writeVerdict(headers, completeVerdict(served, options));
    return new Response(request.method === 'HEAD' ? null : answer.body, { status: answer.status, headers });
  };
}

/** Requests the content from the origin without CMCD, which would split its cache, and without the internal headers. */
async function askOrigin(
  origin: Origin,
  request: Request,
  onProblem: (line: string) => void,
): Promise<Response> {
  const url = new URL(request.url);
  url.search = splitCmcdQuery(url.search).rest;
  url.hash = '';
  const headers = new Headers(request.headers);
  for (const name of [...CMCD_HEADERS, ...Object.values(INTERNAL_HEADERS), CLIENT_AS_HEADER]) {
    headers.delete(name);
  }
  try {
    return await origin(new Request(url, { method: request.method, headers, signal: request.signal }));
  } catch (error) {
    onProblem(`${request.method} ${url.pathname}: ${error instanceof Error ? error.message : String(error)}`);
    return plainResponse(500, 'the edge failed');
  }
}

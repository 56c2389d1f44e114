import { CHANGE_PATH } from '../../../src/wire/rtp.ts';
import { readCmcd } from '../../cmcd.ts';
import { allowPage } from '../../cors.ts';
import type { Handler } from '../../handler.ts';
import { plainResponse } from '../../origin.ts';
import { decidePace, completeVerdict, type PaceLimits, type ResponsePolicy } from '../../policy.ts';
import type { PaceChange } from './pace-changes.ts';

export interface ChangesOptions extends Omit<ResponsePolicy, 'limits'> {
  readonly limits: () => PaceLimits;
  /** Changes a response of this process, or forwards the change to another process. */
  readonly apply: (change: PaceChange) => void;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Handles requests for a change of pace at CHANGE_PATH, and passes all other requests to the handler. The policy
 * decides the new pace from the request's CMCD, as for any response. The answer does not reveal whether a response with
 * the secret exists, so that nobody can probe for secrets.
 */
export function takeChanges(handler: Handler, { limits, apply, ...policy }: ChangesOptions): Handler {
  return async (request) => {
    if (request.method === 'OPTIONS' || new URL(request.url).pathname !== CHANGE_PATH)
      return handler(request);
    if (request.method !== 'POST')
      return plainResponse(405, `${request.method} is not supported here; use POST`, { Allow: 'POST' });
    const { change: secret } = readCmcd(request);
    const verdict = decidePace(request, limits());
    if (secret === null || verdict.reason.startsWith('refused:'))
      return plainResponse(400, 'expected CMCD with the secret of a response in flight, with or without rtp');
    const { pace, congestionControl, floor } = completeVerdict(verdict, { ...policy, limits: limits() });
    apply({ secret, wanted: { pace, congestionControl, floor } });
    const headers = new Headers();
    allowPage(headers, request, NOBODY);
    return new Response(null, { status: 204, headers });
  };
}

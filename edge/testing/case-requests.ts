import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { createTarget } from './case-origin.ts';
import type { PaceCase } from './pace-cases.ts';

/** An implementation's response to a case. */
export interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
}

export function fetchRequest(given: PaceCase): Request {
  const headers = new Headers();
  for (const [name, value] of given.headers) headers.append(name, value);
  return new Request(`http://edge${createTarget(given)}`, {
    method: given.method,
    headers,
    ...(given.method === 'POST' && { body: 'x' }),
  });
}

/** Sends a case's request over HTTP/1.1, with the target and the header lines unchanged. */
export async function send(toPort: number, given: PaceCase): Promise<Answer> {
  const request = httpRequest({
    port: toPort,
    host: '127.0.0.1',
    method: given.method,
    path: createTarget(given),
    headers: ['Host', 'edge', ...given.headers.flat()] as unknown as Record<string, string>,
    agent: false,
  });
  request.end(given.method === 'POST' ? 'x' : undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
  };
}

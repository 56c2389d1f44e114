import type { Milliseconds } from '../src/units.ts';

/** A runtime's fetch, which gives up when the headers are not there in time: it rejects with `timedOut()`. */
export type FetchWithin = (request: Request, timeout: Milliseconds) => Promise<Response>;

const TIMED_OUT = 'TimeoutError';
export const timedOut = (): Error => Object.assign(new Error('timed out'), { name: TIMED_OUT });
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMED_OUT;

/** Fetches in Node and browsers. The request's own signal can abort it until the body has been read. */
export const fetchWithin: FetchWithin = async (request, timeout) => {
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(timedOut()), timeout);
  try {
    return await fetch(request, { signal: AbortSignal.any([patience.signal, request.signal]) });
  } finally {
    clearTimeout(timer);
  }
};

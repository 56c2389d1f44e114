import type { Milliseconds } from '../src/units.ts';

/**
 * A runtime's fetch with a timeout for the headers: it rejects with `timedOut()`. If a body stalls, it calls `onStalled`, and
 * the body fails, unless the runtime handles that itself. The body is passed on as sent by the origin: a `Content-Encoding`
 * is not decoded.
 */
export type FetchWithin = (
  request: Request,
  timeout: Milliseconds,
  onStalled?: (silence: Milliseconds) => void,
) => Promise<Response>;

const TIMED_OUT = 'TimeoutError';
export const timedOut = (): Error => Object.assign(new Error('timed out'), { name: TIMED_OUT });
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMED_OUT;

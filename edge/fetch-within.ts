import type { Milliseconds } from '../src/units.ts';

/**
 * A runtime's fetch with a timeout for the headers, after which it rejects with `timedOut()`. If a body stalls,
 * `onStalled` is called and the body fails, unless the runtime handles this itself. The body is passed on as sent by
 * the origin, without decoding a `Content-Encoding`.
 */
export type FetchWithin = (
  request: Request,
  timeout: Milliseconds,
  onStalled?: (silence: Milliseconds) => void,
) => Promise<Response>;

const TIMED_OUT = 'TimeoutError';
export const timedOut = (): Error => Object.assign(new Error('timed out'), { name: TIMED_OUT });
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMED_OUT;

import type { Milliseconds } from '../src/units.ts';

/**
 * A runtime's fetch, which gives up when the headers are not there in time: it rejects with `timedOut()`. Of a body that comes
 * to a standstill it tells by `onStalled`, and the body fails, unless the runtime sees to that itself. The body is as the
 * origin has sent it: where it has a `Content-Encoding`, it is not unpacked.
 */
export type FetchWithin = (
  request: Request,
  timeout: Milliseconds,
  onStalled?: (silence: Milliseconds) => void,
) => Promise<Response>;

const TIMED_OUT = 'TimeoutError';
export const timedOut = (): Error => Object.assign(new Error('timed out'), { name: TIMED_OUT });
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMED_OUT;

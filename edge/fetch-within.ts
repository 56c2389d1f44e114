import { milliseconds, type Milliseconds } from '../src/units.ts';

/**
 * A runtime's fetch, which gives up when the headers are not there in time: it rejects with `timedOut()`. Of a body that comes
 * to a standstill it tells by `onStalled`, and the body fails, unless the runtime sees to that itself.
 */
export type FetchWithin = (
  request: Request,
  timeout: Milliseconds,
  onStalled?: (silence: Milliseconds) => void,
) => Promise<Response>;

const TIMED_OUT = 'TimeoutError';
export const timedOut = (): Error => Object.assign(new Error('timed out'), { name: TIMED_OUT });
export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === TIMED_OUT;

/** The longest time between two bytes of a body, as in varnish.vcl. Node itself waits for five minutes. */
const BETWEEN_BYTES = milliseconds(15_000);

/** Fetches in Node and browsers. The request's own signal can abort it until the body has been read. */
export const fetchWithin: FetchWithin = (request, timeout, onStalled) =>
  fetchPatiently(request, timeout, BETWEEN_BYTES, onStalled);

export async function fetchPatiently(
  request: Request,
  timeout: Milliseconds,
  betweenBytes: Milliseconds,
  onStalled: (silence: Milliseconds) => void = () => undefined,
): Promise<Response> {
  const patience = new AbortController();
  const giveUp = (): void => patience.abort(timedOut());
  const timer = setTimeout(giveUp, timeout);
  let answer: Response;
  try {
    answer = await fetch(request, { signal: AbortSignal.any([patience.signal, request.signal]) });
  } finally {
    clearTimeout(timer);
  }
  if (answer.body === null) return answer;
  const body = watched(answer.body, betweenBytes, () => {
    onStalled(betweenBytes);
    giveUp();
  });
  return new Response(body, answer);
}

/** The same body. `onSilence` is called when a read has had no byte for so long; a reader that does not read has time. */
function watched(
  body: ReadableStream<Uint8Array>,
  longest: Milliseconds,
  onSilence: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const timer = setTimeout(onSilence, longest);
        try {
          const { value, done } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } finally {
          clearTimeout(timer);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Reads nothing ahead of whoever reads this.
    { highWaterMark: 0 },
  );
}

import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { milliseconds, type Milliseconds } from '../../src/units.ts';
import { timedOut, type FetchWithin } from '../fetch-within.ts';

/** The longest time between two bytes of a body, the same as in varnish.vcl. Node itself has no limit. */
const BETWEEN_BYTES = milliseconds(15_000);

/** The statuses with which a Response must not have a body. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/**
 * Fetches in Node, and passes the body on as sent by the origin. Node's own fetch decodes a Content-Encoding, which makes
 * ranges and lengths wrong, and fails when an origin sends an unrequested `100 Continue`. The request's signal can abort the
 * fetch until the body has been read.
 */
export const fetchAsSent: FetchWithin = (request, timeout, onStalled) =>
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
  let message: IncomingMessage;
  try {
    message = await answerTo(request, AbortSignal.any([patience.signal, request.signal]));
  } finally {
    clearTimeout(timer);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    headers.append(message.rawHeaders[at] ?? '', message.rawHeaders[at + 1] ?? '');
  }
  const status = message.statusCode ?? 0;
  if (request.method === 'HEAD' || WITHOUT_BODY.includes(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  const chunks = patientChunks(message, betweenBytes, () => {
    onStalled(betweenBytes);
    giveUp();
  });
  // Wait for the first byte, because a failure before it can still be reported to the client.
  const first = await chunks.next();
  return new Response(createBody(message, first, chunks), { status, headers });
}

/** Sends the request, and retries if the origin closes a reused connection. */
async function answerTo(request: Request, signal: AbortSignal): Promise<IncomingMessage> {
  for (;;) {
    signal.throwIfAborted();
    const asked = send(request);
    try {
      return await firstAnswer(asked, signal);
    } catch (error) {
      const isClosed = error instanceof Error && 'code' in error && error.code === 'ECONNRESET';
      if (!asked.reusedSocket || !isClosed || signal.aborted) throw error;
    }
  }
}

function send({ url, method, headers }: Request): ClientRequest {
  const request = url.startsWith('https:') ? requestHttps : requestHttp;
  // Some origins reject requests without User-Agent or Accept.
  const defaults = { Accept: '*/*', 'User-Agent': 'dashjs-sammy-edge' };
  const asked = request(url, { method });
  for (const [name, value] of [...Object.entries(defaults), ...headers]) asked.setHeader(name, value);
  return asked.end();
}

/**
 * Resolves to the response when its headers have arrived. If `signal` is aborted, the promise or the response's body
 * fails with the signal's reason.
 */
function firstAnswer(asked: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let message: IncomingMessage | undefined;
    const abort = (): void => {
      const reason: unknown = signal.reason;
      (message ?? asked).destroy(reason instanceof Error ? reason : new Error('aborted'));
    };
    signal.addEventListener('abort', abort);
    asked.once('close', () => signal.removeEventListener('abort', abort));
    asked.once('response', (response) => {
      message = response;
      resolve(response);
    });
    asked.on('error', reject);
    asked.once('close', () => reject(new Error('the connection was closed')));
  });
}

/**
 * Yields the chunks of a message. `onSilence` is called when a read has waited for `longest`. The time between reads is
 * not limited.
 */
function patientChunks(
  message: IncomingMessage,
  longest: Milliseconds,
  onSilence: () => void,
): Pick<AsyncIterator<Uint8Array>, 'next'> {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return {
    async next() {
      const timer = setTimeout(onSilence, longest);
      try {
        return await chunks.next();
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Creates the body of a message. Only the first chunk has been read in advance. */
function createBody(
  message: IncomingMessage,
  first: IteratorResult<Uint8Array, unknown>,
  chunks: Pick<AsyncIterator<Uint8Array>, 'next'>,
): ReadableStream<Uint8Array> {
  let ahead: typeof first | undefined = first;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = ahead ?? (await chunks.next());
        ahead = undefined;
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel() {
        message.destroy();
      },
    },
    { highWaterMark: 0 },
  );
}

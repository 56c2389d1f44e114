import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Writes a body as fast as the socket takes it and no faster. `gone` ends it at once and cancels the
 * body, so that whoever makes it can let go of its files and connections. Returns the bytes written.
 */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<number> {
  let written = 0;
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  try {
    gone.throwIfAborted();
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      written += chunk.value.length;
      if (!response.write(chunk.value)) await once(response, 'drain', { signal: gone });
    }
    gone.throwIfAborted();
    response.end();
  } catch {
    // Either the client is gone, or the body failed: an incomplete response ends with its connection.
    cancel();
    response.destroy();
  } finally {
    gone.removeEventListener('abort', cancel);
  }
  return written;
}

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Writes a body as fast as the socket takes it and no faster, and returns when the kernel has all of it.
 * `gone` ends it at once and cancels the body, so that whoever makes it lets go of its files and connections.
 */
export async function sendBody(
  body: ReadableStream<Uint8Array> | null,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<{ bytes: number; complete: boolean }> {
  let bytes = 0;
  const reader = body?.getReader();
  const cancel = () => void reader?.cancel().catch(() => undefined);
  gone.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      gone.throwIfAborted();
      const chunk = await reader?.read();
      if (!chunk || chunk.done) break;
      bytes += chunk.value.length;
      if (!response.write(chunk.value)) await once(response, 'drain', { signal: gone });
    }
    gone.throwIfAborted();
    const closed = once(response, 'close', { signal: gone });
    response.end();
    await closed;
    return { bytes, complete: true };
  } catch {
    // Either the client is gone, or the body failed: an incomplete response ends with its connection.
    cancel();
    response.destroy();
    return { bytes, complete: false };
  } finally {
    gone.removeEventListener('abort', cancel);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { TcpInfo } from './tcp-info.ts';

/** Long enough for any round trip with a few retransmissions; a client that answers no more is not waited for. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

/**
 * Waits until the client's kernel has acknowledged `written` bytes of a connection, since Node's own events
 * fire when its data are in the send buffer, which at a slow pace is long before they are sent. Returns the
 * last TCP_INFO seen: that of the moment of arrival, or of the last moment the connection was there.
 */
export async function untilAcknowledged(
  read: () => TcpInfo | null,
  written: number,
): Promise<{ last: TcpInfo | null; arrived: boolean }> {
  let last = read();
  let progress = performance.now();
  for (let pause = 1; last && last.bytes_acked < written; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    await sleep(pause, undefined, { ref: false });
    const now = read();
    if (!now) return { last, arrived: false };
    if (now.bytes_acked > last.bytes_acked) progress = performance.now();
    else if (performance.now() - progress > PATIENCE_MS) return { last: now, arrived: false };
    last = now;
  }
  return { last, arrived: last !== null };
}

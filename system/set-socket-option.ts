import type { Server, Socket } from 'node:net';
import koffi from 'koffi';

const setsockopt = koffi
  .load(null)
  .func('int setsockopt(int fd, int level, int name, const void *value, uint32_t length)') as (
  fd: number,
  level: number,
  name: number,
  value: Uint8Array,
  length: number,
) => number;

/** Sets an option that Node has no function for, its value as C has it. False where the kernel refuses, or the socket is closed. */
export function setSocketOption(
  socket: Socket | Server,
  level: number,
  name: number,
  value: Int32Array,
): boolean {
  // Node has the descriptor only in `_handle`.
  const { _handle: handle } = socket as unknown as { _handle?: { fd?: number } | null };
  const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return setsockopt(handle?.fd ?? -1, level, name, bytes, bytes.length) === 0;
}

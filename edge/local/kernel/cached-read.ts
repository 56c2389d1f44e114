/**
 * Reads bytes of a file that are in the kernel's page cache, immediately and without a thread. Returns the number of
 * bytes, which may be less than the buffer's size; 0 if the read would have to wait for a disk, and on failure.
 */
export type CachedRead = (descriptor: number, into: Uint8Array, position: number) => number;

/** From include/uapi/linux/fs.h: fail instead of waiting for a disk. */
const RWF_NOWAIT = 8;

/** Returns this machine's function. If libc has no preadv2 or cannot be called, the function always returns 0. */
export async function openCachedRead(): Promise<CachedRead> {
  if (process.platform !== 'linux') return () => 0;
  try {
    const koffi = await import('koffi');
    const preadv2 = koffi
      .load(null)
      .func('long preadv2(int fd, const void *pieces, int count, int64_t position, int flags)') as (
      fd: number,
      pieces: BigUint64Array,
      count: number,
      position: number,
      flags: number,
    ) => number;
    // struct iovec: an address and a length.
    const piece = new BigUint64Array(2);
    return (descriptor, into, position) => {
      piece[0] = koffi.address(into);
      piece[1] = BigInt(into.byteLength);
      return Math.max(0, preadv2(descriptor, piece, 1, position, RWF_NOWAIT));
    };
  } catch {
    return () => 0;
  }
}

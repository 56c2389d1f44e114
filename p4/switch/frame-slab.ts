/** Bytes of the largest frame: a jumbo frame and a VLAN tag. */
const MAX_FRAME_BYTES = 9216;
/** Bytes per slab. A frame that stays in a queue keeps its whole slab alive, so slabs are small: 38 full frames. */
const SLAB_BYTES = 65_536;

/**
 * Allocates memory for frames from slabs. With one ArrayBuffer per frame, each frame would be an allocation outside the
 * heap, and with thousands of such allocations a garbage collection takes milliseconds. A slab is freed together with
 * its last frame.
 */
export class FrameSlab {
  private slab = new Uint8Array(SLAB_BYTES);
  private used = 0;

  /** The buffer to read the next frame into. */
  freeSpace(): Uint8Array {
    if (this.slab.length - this.used < MAX_FRAME_BYTES) {
      this.slab = new Uint8Array(SLAB_BYTES);
      this.used = 0;
    }
    return this.slab.subarray(this.used, this.used + MAX_FRAME_BYTES);
  }

  /** Takes the first `size` bytes of `freeSpace()` as a frame. */
  take(size: number): Uint8Array {
    const from = this.used;
    this.used += size;
    return this.slab.subarray(from, this.used);
  }
}

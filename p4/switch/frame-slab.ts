/** Jumbo frames and a VLAN tag. */
const MAX_FRAME = 9216;
/** 40 frames of 1514 bytes: few enough that one frame that waits does not hold much memory. */
const SLAB = 65_536;

/**
 * Memory for frames, one slab after the other. An ArrayBuffer for each frame would be an allocation outside the heap,
 * and thousands of them make a garbage collection take milliseconds; a slab goes when its last frame has gone.
 */
export class FrameSlab {
  private slab = new Uint8Array(SLAB);
  private used = 0;

  /** Where the next frame can be read to. */
  room(): Uint8Array {
    if (this.slab.length - this.used < MAX_FRAME) {
      this.slab = new Uint8Array(SLAB);
      this.used = 0;
    }
    return this.slab.subarray(this.used, this.used + MAX_FRAME);
  }

  /** The frame that was read there. */
  take(size: number): Uint8Array {
    const from = this.used;
    this.used += size;
    return this.slab.subarray(from, this.used);
  }
}

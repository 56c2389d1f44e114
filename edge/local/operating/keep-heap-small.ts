import { setFlagsFromString } from 'node:v8';

/**
 * Tells V8 to collect garbage earlier than it would. By default it lets the young objects grow to 32 MB, and the old ones to
 * twice and more of what is in use; a thousand viewers leave little behind, so all of that would hold nothing but
 * garbage. To be called before the heap has grown.
 */
export function keepHeapSmall(): void {
  // The space for young objects stays at the 1 MB (twice) that it begins with; flags of its size are read only at start.
  setFlagsFromString('--semi-space-growth-factor=1');
  // The space for old ones is collected when it has grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
}

import { setFlagsFromString } from 'node:v8';

/**
 * Makes V8 collect garbage earlier than by default. By default, the young generation grows to 32 MB, and the old
 * generation to over twice the size of the live data. A thousand viewers need little live data, so most of the memory
 * would be garbage. Call it before the heap has grown.
 */
export function keepHeapSmall(): void {
  // Keep the young generation at its initial size, two semi-spaces of 1 MB. The flags for its size cannot be used: V8
  // reads them only at startup.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Collect the old generation when it has grown by a fifth.
  setFlagsFromString('--heap-growing-percent=20');
}

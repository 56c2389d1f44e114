import type { TextStorage } from '../../../src/learning/text-storage.ts';

/** Makes an empty storage that exists only in memory. */
export function makeMemoryStorage(): TextStorage {
  let text: string | null = null;
  return {
    read: () => text,
    write: (written) => void (text = written),
    remove: () => void (text = null),
  };
}

import type { TextStorage } from '../../../../src/learning/text-storage.ts';

/** A storage of one text, which is gone with the session. */
export function textMemory(): TextStorage {
  let text: string | null = null;
  return {
    read: () => text,
    write: (written) => void (text = written),
    remove: () => void (text = null),
  };
}

import type { TextStorage } from '../../learning/text-storage.ts';

const KEY = 'dashjs-sammy:initial-throughput';

/** The browser's localStorage. Any access may throw (private mode, blocked cookies); the history handles this. */
export const localStorageText: TextStorage = {
  read: () => localStorage.getItem(KEY),
  write: (text) => {
    localStorage.setItem(KEY, text);
  },
  remove: () => {
    localStorage.removeItem(KEY);
  },
};

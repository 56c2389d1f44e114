import type { TextStorage } from '../../learning/text-storage.ts';

const KEY = 'dashjs-sammy:initial-throughput';

/** The browser's localStorage. It may throw on any access (private mode, blocked cookies); the history handles exceptions. */
export const localStorageText: TextStorage = {
  read: () => localStorage.getItem(KEY),
  write: (text) => {
    localStorage.setItem(KEY, text);
  },
  remove: () => {
    localStorage.removeItem(KEY);
  },
};

import { defineRun } from '../run-program.ts';
import { serveRun } from '../serve-run.ts';

const endlessRun = defineRun(new URL(import.meta.url));

/** A run that does not end by itself. */
serveRun(
  endlessRun,
  (_spec, closing) =>
    new Promise((resolve) => {
      const close = () => {
        resolve({ kind: 'failed', reason: 'ended' });
        return Promise.resolve();
      };
      closing.later({ close });
    }),
);

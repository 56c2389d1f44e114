import { serveRun } from '../serve-run.ts';

/** A run that goes on until it is ended. */
serveRun(
  (_spec, closing) =>
    new Promise((resolve) => {
      const close = () => {
        resolve({ kind: 'failed', reason: 'ended' });
        return Promise.resolve();
      };
      closing.later({ close });
    }),
);

import { setImmediate } from 'node:timers/promises';
import { ProcessPool } from '../../../system/process-pool.ts';
import { defineWork } from '../../../system/work.ts';
import type { Carrier } from './carrier.ts';
import { TrialPlayer, type Course, type Part } from './trial-player.ts';

export const playedParts = defineWork<Course, Part, undefined>({
  of: 'the trial',
  program: new URL('./worker.ts', import.meta.url),
});

/** So many processes; if it is one, it is this process. */
export const virtualTime: Carrier = {
  sessionsOfAPart: 20,
  besides_s: null,
  async open(course, jobs) {
    if (jobs > 1) {
      const pool = new ProcessPool(playedParts, course, jobs);
      return { write: (part) => pool.ask(part), close: () => pool.close() };
    }
    const player = await TrialPlayer.of(course);
    return {
      async write(part) {
        player.write(part);
        // So that Ctrl-C is heard.
        await setImmediate();
      },
      close: () => undefined,
    };
  },
};

import type { Study } from '../../harness/runs/study.ts';

/** What a folder of a study says, for the terminal. */
export const outcomeOf = async (study: Study, outDir: string): Promise<readonly string[]> =>
  (await study.outcome?.(outDir)) ?? [`${outDir}/report.html`];

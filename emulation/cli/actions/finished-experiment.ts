import { finishedConfirmation } from '../../studies/confirm/confirmation.ts';
import { experimentNamed } from '../../studies/experiments/index.ts';
import type { Study } from '../../harness/runs/study.ts';

/** The experiment of a folder's runs, by its name: one of the lab's, or a confirmation. Throws an Error for any other. */
export const finishedExperiment = (name: string): Study =>
  name === finishedConfirmation.name ? finishedConfirmation : experimentNamed(name);

/** The summary of a study's folder, for the terminal. */
export const outcomeOf = async (study: Study, outDir: string): Promise<readonly string[]> =>
  (await study.outcome?.(outDir)) ?? [`${outDir}/report.html`];

import { finishedConfirmation } from '../../studies/confirm/confirmation.ts';
import { findStudy } from '../../studies/sessions/index.ts';
import type { Study } from '../../harness/runs/study.ts';

/**
 * Finds the study of a results folder by the study's name: a listed study, or a confirmation. Throws an Error for any
 * other name.
 */
export const finishedExperiment = (name: string): Study =>
  name === finishedConfirmation.name ? finishedConfirmation : findStudy(name);

/** Returns the lines that summarize a finished study in the terminal; by default, the path of its report. */
export const summarizeOutcome = async (study: Study, outDir: string): Promise<readonly string[]> =>
  (await study.outcome?.(outDir)) ?? [`${outDir}/report.html`];

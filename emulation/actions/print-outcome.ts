import type { Experiment } from '../runs/experiment.ts';
import { CONFIRM } from '../confirm/confirmation-settings.ts';

/** Prints where the report is, and of an experiment of sessions, or one that is not known, what it has found; what a confirmation concludes. */
export async function printOutcome(outDir: string, experiment: Experiment | undefined): Promise<void> {
  if (experiment?.name === CONFIRM)
    console.log((await import('../confirm/conclusion.ts')).conclusionLines(outDir).join('\n'));
  else if (experiment === undefined || 'settings' in experiment)
    (await import('../report/print-answer.ts')).printAnswer(outDir);
  else console.log(`${outDir}/report.html`);
}

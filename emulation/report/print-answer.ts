import { sentences } from './sentence.ts';
import { readReportData } from './write-report.ts';

/** Prints what an experiment of sessions in `outDir` has found, a sentence for each treatment, and where its report is. */
export const printAnswer = (outDir: string): void => {
  console.log([...sentences(readReportData(outDir)), `${outDir}/report.html`].join('\n'));
};

import { sentences } from './sentence.ts';
import { readReportData } from './write-report.ts';

/** What a study of sessions in `outDir` has found, a sentence for each treatment, and where its report is. */
export const answerLines = (outDir: string): string[] => [
  ...sentences(readReportData(outDir)),
  `${outDir}/report.html`,
];

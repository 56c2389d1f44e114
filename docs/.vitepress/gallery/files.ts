import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { COMMITTED_EVIDENCE } from '../../../emulation/studies/paper/committed-evidence.ts';
import { papers } from './papers.ts';
import { judgeRow, judgeExhibit } from '../../../emulation/studies/paper/claims/verdict.ts';

/**
 * Writes the exhibits of each paper with their verdicts as a JSON file into `folder`, next to the evidence, for the
 * page's downloads.
 */
export async function writeGallery(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await cp(COMMITTED_EVIDENCE, join(folder, 'evidence'), { recursive: true });
  for (const { exhibits, ...paper } of papers) {
    const judged = exhibits.map((exhibit) => ({
      ...{ ...exhibit, verdict: judgeExhibit(exhibit) },
      rows: exhibit.rows.map((row) => ({ ...row, outcome: judgeRow(row) })),
    }));
    const text = JSON.stringify({ ...paper, exhibits: judged }, null, 2);
    await writeFile(join(folder, `${paper.key}.json`), `${text}\n`);
  }
}

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { papers } from './papers.ts';

/** Writes the exhibits of each paper as a JSON file into `folder`, for the page's download. */
export async function writeGallery(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const paper of papers)
    await writeFile(join(folder, `${paper.key}.json`), `${JSON.stringify(paper, null, 2)}\n`);
}

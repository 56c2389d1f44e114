import { buffers } from './buffers.ts';
import type { Exhibit, Paper } from './exhibit.ts';
import { fugu } from './fugu.ts';
import { neighbor } from './neighbor.ts';
import { sammy } from './sammy.ts';
import { unbiased } from './unbiased.ts';

export const papers: readonly Paper[] = [sammy, unbiased, buffers, fugu, neighbor];

export function paperOf(key: string): Paper {
  const paper = papers.find((each) => each.key === key);
  if (!paper)
    throw new Error(
      `no paper '${key}' in the gallery; there are ${papers.map((each) => each.key).join(', ')}`,
    );
  return paper;
}

/** An exhibit by its paper's key and its name. */
export function exhibitOf(key: string, name: string): Exhibit {
  const exhibit = paperOf(key).exhibits.find((each) => each.name === name);
  if (!exhibit) throw new Error(`no ${name} of '${key}' in the gallery`);
  return exhibit;
}

/** The exhibits that tell the story, by paper. */
export const STORY: readonly (readonly [key: string, name: string])[] = [
  ['sammy', 'Figure 7'],
  ['sammy', 'Figure 8'],
  ['unbiased', 'Figure 2'],
  ['buffers', 'Figure 5'],
  ['fugu', 'Figure 2.11'],
];

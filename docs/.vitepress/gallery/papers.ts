import type { Exhibit, Paper } from './exhibit.ts';
import { sammy } from './sammy.ts';

export const papers: readonly Paper[] = [sammy];

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
  ['sammy', 'Figure 3'],
];

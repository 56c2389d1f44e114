import type { Exhibit, Paper } from '../../../emulation/studies/paper/claims/exhibit.ts';

export function findPaper(papers: readonly Paper[], key: string): Paper {
  const paper = papers.find((each) => each.key === key);
  if (!paper)
    throw new Error(
      `no paper '${key}' in the gallery; there are ${papers.map((each) => each.key).join(', ')}`,
    );
  return paper;
}

/** Finds an exhibit by its paper's key and its name. */
export function findExhibit(papers: readonly Paper[], key: string, name: string): Exhibit {
  const exhibit = findPaper(papers, key).exhibits.find((each) => each.name === name);
  if (!exhibit) throw new Error(`no ${name} of '${key}' in the gallery`);
  return exhibit;
}

/** The exhibits of the overview page, by paper. */
export const STORY: readonly (readonly [key: string, name: string])[] = [
  ['sammy', 'Figure 7'],
  ['sammy', 'Figure 8'],
  ['unbiased', 'Figure 2'],
  ['buffers', 'Figure 5'],
  ['fugu', 'Figure 2.11'],
];

import { readFileSync } from 'node:fs';

/** Reads a file of the project, by its path from the root. */
export const readProjectFile = (path: string): string =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** Returns the cells after the first one of each table line of a page that begins with `beginning`. */
export const readCells = (page: string, beginning: string): string[][] =>
  readProjectFile(page)
    .split('\n')
    .filter((line) => line.startsWith(beginning))
    .map((line) =>
      line
        .split('|')
        .slice(2, -1)
        .map((cell) => cell.trim()),
    );

import { experimentNamed } from '../experiments/index.ts';
import { askedOf, chapters } from './paper.ts';

/** Estimates from their plans the seconds that the runs of each chapter take in one lane. */
export const estimate = (quick: boolean): Promise<{ readonly name: string; readonly seconds: number }[]> =>
  Promise.all(
    chapters.map(async (chapter) => {
      const planned = await experimentNamed(chapter.name).plan(askedOf(chapter, quick));
      const { runs, settings, overhead_s } = planned;
      return { name: chapter.name, seconds: runs.length * (settings.seconds + overhead_s) };
    }),
  );

export const totalOf = (estimated: readonly { readonly seconds: number }[]): number =>
  estimated.reduce((total, { seconds }) => total + seconds, 0);

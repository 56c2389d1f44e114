import { comparedLines, compareRuns } from '../report/compare.ts';
import { wordsOf } from '../words/words.ts';

const words = wordsOf({
  action: 'compare',
  takes: 'DIR DIR',
  about:
    'The medians of the cells that both folders have, such as one experiment on two links, with the interval of the difference.',
  subjects: 2,
  options: {},
});
export const { help } = words;

export function main(args: readonly string[]): void {
  const [first, second] = words.read(args).subjects;
  if (first === undefined || second === undefined) throw new Error('compare: which two folders?');
  console.log(comparedLines(compareRuns(first, second)).join('\n'));
}

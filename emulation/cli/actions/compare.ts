import { comparedLines, compareRuns } from '../../studies/report/compare.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- compare',
  usage: 'DIR DIR',
  about:
    'The medians of the cells that both folders have, such as one experiment on two links, with the interval of the difference.',
  maxPositionals: 2,
  options: {},
});
export const { help } = commandLine;

export function main(args: readonly string[]): void {
  const [first, second] = commandLine.parse(args).positionals;
  if (first === undefined || second === undefined) throw new Error('compare: which two folders?');
  console.log(comparedLines(compareRuns(first, second)).join('\n'));
}

import { arms } from '../../player/arms/index.ts';
import { studies } from '../../studies/sessions/index.ts';
import { neighbors } from '../../player/neighbors/index.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- list',
  usage: '',
  about: 'Lists the studies, their arms, and the neighbors.',
  options: {},
});
export const { help } = commandLine;

export function main(args: readonly string[]): void {
  commandLine.parse(args);
  print(
    'Studies',
    studies.map(({ name, about, figure }) => ({ name, about: `${about} (${figure})` })),
  );
  print('Arms', arms);
  print('Neighbors', neighbors);
}

function print(title: string, entries: readonly { readonly name: string; readonly about: string }[]): void {
  const width = Math.max(...entries.map(({ name }) => name.length));
  console.log(
    `${title}\n${entries.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n')}\n`,
  );
}

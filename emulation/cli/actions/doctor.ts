import { printChecks } from '../../host/setup/check.ts';
import { labChecks } from '../../host/setup/lab-checks.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- doctor',
  usage: '',
  about:
    'Lists what the lab needs, what is missing on this machine, and how to install it. The lab needs root, on Linux.',
  options: {},
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  commandLine.parse(args);
  await printChecks(labChecks, 'the lab needs');
}

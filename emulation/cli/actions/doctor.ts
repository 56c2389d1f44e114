import { examine, printFindings } from '../../host/setup/check.ts';
import { labChecks } from '../../host/setup/lab-checks.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- doctor',
  usage: '',
  about:
    'What this machine has and lacks for the lab, and the command that mends each lack. The lab needs root, on Linux.',
  options: {},
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  commandLine.parse(args);
  const findings = await examine(labChecks);
  console.log(printFindings(findings));
  const needed = findings.filter(({ check, found }) => check.required && !found);
  if (needed.length === 0) return;
  throw new Error(`the lab needs ${needed.map(({ check }) => check.name).join(', ')}`);
}

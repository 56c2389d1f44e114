import { examine, printFindings } from '../emulation/host/setup/check.ts';
import { checks } from './setup/checks.ts';

export const help = `
Shows what this machine has and lacks, what each lack costs, and the command that mends it.

    npm run doctor

Exits with status 1 only if something that npm start or npm test needs is lacking.
npm run lab -- doctor tells more of what the lab needs.
`;

export async function main(): Promise<void> {
  const findings = await examine(checks);
  console.log(printFindings(findings));
  const needed = findings.filter(({ check, found }) => check.required && !found);
  if (needed.length === 0) return;
  throw new Error(`npm start and npm test need ${needed.map(({ check }) => check.name).join(' and ')}`);
}

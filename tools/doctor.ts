import { checks, type Check } from './setup/checks.ts';

export const help = `
Shows what this machine has and lacks, and the command that mends each lack.

    npm run doctor

Exits with status 1 only if something that npm start or npm test needs is lacking.
`;

interface Finding {
  readonly check: Check;
  readonly found: boolean;
  readonly detail: string;
}

async function examine(check: Check): Promise<Finding> {
  try {
    return { check, found: true, detail: await check.find() };
  } catch (error) {
    return { check, found: false, detail: (error as Error).message };
  }
}

const verdict = ({ check, found }: Finding): string => {
  if (found) return 'has';
  return check.required ? 'LACKS' : 'lacks';
};

/** A row for each finding, and under a lack how to mend it. */
export function report(findings: readonly Finding[]): string {
  const width = (cells: string[]): number => Math.max(...cells.map((cell) => cell.length));
  const nameWidth = width(findings.map(({ check }) => check.name));
  const neededWidth = width(findings.map(({ check }) => check.neededBy));
  return findings
    .flatMap((finding) => {
      const { check, found, detail } = finding;
      const needed = `for ${check.neededBy}`.padEnd(neededWidth + 4);
      const row = `${verdict(finding).padEnd(6)}${check.name.padEnd(nameWidth)}  ${needed}  ${detail}`;
      return found ? [row] : [row, `${' '.repeat(6 + nameWidth + 2)}mend: ${check.mend}`];
    })
    .join('\n');
}

export async function main(): Promise<void> {
  const findings = await Promise.all(checks.map(examine));
  console.log(report(findings));
  const needed = findings.filter(({ check, found }) => check.required && !found);
  if (needed.length === 0) return;
  throw new Error(`npm start and npm test need ${needed.map(({ check }) => check.name).join(' and ')}`);
}

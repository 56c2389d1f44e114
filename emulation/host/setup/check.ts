/** A requirement that this machine may or may not meet. */
export interface Check {
  readonly name: string;
  /** The commands or experiments that use the checked program or feature. */
  readonly neededBy: string;
  /** Whether those commands or experiments cannot run without it. */
  readonly required: boolean;
  /** Returns a description of the result; throws an Error that tells what is missing. */
  readonly find: () => Promise<string> | string;
  readonly mend: string;
  /** The consequences if it is missing. */
  readonly without: string;
}

export interface Finding {
  readonly check: Check;
  readonly found: boolean;
  readonly detail: string;
}

export const examine = (checks: readonly Check[]): Promise<Finding[]> => Promise.all(checks.map(examineOne));

async function examineOne(check: Check): Promise<Finding> {
  try {
    return { check, found: true, detail: await check.find() };
  } catch (error) {
    return { check, found: false, detail: (error as Error).message };
  }
}

/**
 * Prints the findings. Throws an Error that names the missing items among the required ones, after `needing` such as
 * 'the lab needs'.
 */
export async function printChecks(checks: readonly Check[], needing: string): Promise<void> {
  const findings = await examine(checks);
  console.log(printFindings(findings));
  const missing = findings.filter(({ check, found }) => check.required && !found);
  if (missing.length > 0) throw new Error(`${needing} ${missing.map(({ check }) => check.name).join(', ')}`);
}

const VERDICT_WIDTH = 'missing '.length;

const verdict = ({ check, found }: Finding): string => {
  if (found) return 'has';
  return check.required ? 'MISSING' : 'missing';
};

/** Formats a row for each finding; below a missing item, the consequences and a way to fix the problem. */
export function printFindings(findings: readonly Finding[]): string {
  const width = (cells: string[]): number => Math.max(...cells.map((cell) => cell.length));
  const nameWidth = width(findings.map(({ check }) => check.name));
  const neededWidth = width(findings.map(({ check }) => check.neededBy));
  return findings
    .flatMap((finding) => {
      const { check, found, detail } = finding;
      const needed = `for ${check.neededBy}`.padEnd(neededWidth + 4);
      const row = `${verdict(finding).padEnd(VERDICT_WIDTH)}${check.name.padEnd(nameWidth)}  ${needed}  ${detail}`;
      const below = (words: string) => `${' '.repeat(VERDICT_WIDTH + nameWidth + 2)}${words}`;
      return found ? [row] : [row, below(`without: ${check.without}`), below(`fix: ${check.mend}`)];
    })
    .join('\n');
}

/** Something that this machine has, or that is missing. */
export interface Check {
  readonly name: string;
  /** The commands or experiments that need it. */
  readonly neededBy: string;
  /** Whether they cannot do without it. */
  readonly required: boolean;
  /** What was found; throws an Error that says what is missing. */
  readonly find: () => Promise<string> | string;
  readonly mend: string;
  /** What works without it, and what does not. */
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

const VERDICT_WIDTH = 'missing '.length;

const verdict = ({ check, found }: Finding): string => {
  if (found) return 'has';
  return check.required ? 'MISSING' : 'missing';
};

/** A row for each finding; below what is missing, what does not work without it and how to fix that. */
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

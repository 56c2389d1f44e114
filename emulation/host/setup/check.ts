/** Something that this machine has or lacks. */
export interface Check {
  readonly name: string;
  /** The commands or experiments that want it. */
  readonly neededBy: string;
  /** Whether they cannot do without it. */
  readonly required: boolean;
  /** What was found; throws an Error that says what is lacking. */
  readonly find: () => Promise<string> | string;
  readonly mend: string;
  /** What goes on without it, and how. */
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

const verdict = ({ check, found }: Finding): string => {
  if (found) return 'has';
  return check.required ? 'LACKS' : 'lacks';
};

/** A row for each finding, and under a lack what it costs and how to mend it. */
export function printFindings(findings: readonly Finding[]): string {
  const width = (cells: string[]): number => Math.max(...cells.map((cell) => cell.length));
  const nameWidth = width(findings.map(({ check }) => check.name));
  const neededWidth = width(findings.map(({ check }) => check.neededBy));
  return findings
    .flatMap((finding) => {
      const { check, found, detail } = finding;
      const needed = `for ${check.neededBy}`.padEnd(neededWidth + 4);
      const row = `${verdict(finding).padEnd(6)}${check.name.padEnd(nameWidth)}  ${needed}  ${detail}`;
      const below = (words: string) => `${' '.repeat(6 + nameWidth + 2)}${words}`;
      return found ? [row] : [row, below(`without: ${check.without}`), below(`mend: ${check.mend}`)];
    })
    .join('\n');
}

import { readFileSync } from 'node:fs';

/** Reads and checks a JSON file. Every error is one line that begins with the file's name. */
export function readJson<T>(file: string, check: (value: unknown) => T): T {
  try {
    return check(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file}${describeProblem(error)}`, { cause: error });
  }
}

function describeProblem(error: unknown): string {
  if (error instanceof SyntaxError) return ` is damaged: not JSON, ${error.message}`;
  if (error instanceof Error && 'code' in error) return ` cannot be read: ${error.message}`;
  return `: ${error instanceof Error ? error.message : String(error)}`;
}

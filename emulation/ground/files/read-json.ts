import { readFileSync } from 'node:fs';

/** Reads and checks a JSON file. Whatever is wrong with it, the error is one line that begins with the file's name. */
export function readJson<T>(file: string, check: (value: unknown) => T): T {
  try {
    return check(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder of results has a finished run; those under way are elsewhere until they are whole. */
export function hasFinishedRun(outDir: string): boolean {
  const runs = join(outDir, 'runs');
  return existsSync(runs) && readdirSync(runs).some((cell) => readdirSync(join(runs, cell)).length > 0);
}

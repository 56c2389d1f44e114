import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A lock folder counts as abandoned if it has had no owner file for longer than this. */
const ANONYMOUS_MS = 5000;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/**
 * Creates the lock folder for this process, or returns the id of the process that owns it. Takes over the folder of a
 * process that has died.
 */
export async function claim(folder: string): Promise<'ours' | number> {
  try {
    await mkdir(folder);
    await writeFile(join(folder, 'owner'), String(process.pid));
    return 'ours';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const owner = Number(await readFile(join(folder, 'owner'), 'utf8').catch(() => '0'));
  const age_ms = Date.now() - ((await stat(folder).catch(() => undefined))?.mtimeMs ?? Date.now());
  const abandoned = owner > 0 ? !isAlive(owner) : age_ms > ANONYMOUS_MS;
  if (!abandoned) return owner;
  await rm(folder, { recursive: true, force: true });
  return claim(folder);
}

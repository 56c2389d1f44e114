import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
};

/** Returns the absolute path of the first of `names` that is on the PATH. */
export function findExecutable(...names: string[]): string | undefined {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return names
    .flatMap((name) =>
      folders.flatMap((folder) => extensions.map((extension) => join(folder, name + extension))),
    )
    .find(isExecutable);
}

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Replaces files atomically: a reader sees either the old or the new content of each file. If the disk is full, the old
 * files remain.
 */
export function replaceFiles(folder: string, contents: Readonly<Record<string, string | Uint8Array>>): void {
  const files = Object.entries(contents).map(([name, content]) => {
    const file = join(folder, name);
    return { file, temporary: `${file}.${process.pid}.tmp`, content };
  });
  try {
    for (const { temporary, content } of files) writeFileSync(temporary, content);
    for (const { temporary, file } of files) renameSync(temporary, file);
  } finally {
    for (const { temporary } of files) rmSync(temporary, { force: true });
  }
}

export const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

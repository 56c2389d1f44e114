import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../system/run-quietly.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds some pages of the site in `folder`, with the site's theme and configuration. Returns the folder to serve. A
 * build of the whole site would take minutes on a busy machine, mostly for generated pages.
 */
export async function buildPages(folder: string, pages: readonly string[]): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  for (const page of pages) {
    await mkdir(dirname(join(folder, page)), { recursive: true });
    await cp(join(ROOT, 'docs', page), join(folder, page));
  }
  await symlink(join(ROOT, 'docs/.vitepress'), join(folder, '.vitepress'));
  const dist = join(folder, 'dist');
  await runQuietly(join(ROOT, 'node_modules/.bin/vitepress'), ['build', folder, '--outDir', dist], {
    cwd: ROOT,
  });
  return dist;
}

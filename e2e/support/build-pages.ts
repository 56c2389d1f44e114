import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from '../../system/run-quietly.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds these pages of the site, with its own theme and configuration, in `folder`, and returns the folder to be served. The
 * whole site takes minutes on a busy machine, most of them for pages that are generated.
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

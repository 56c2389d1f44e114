import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The folder of the site's pages. */
export const DOCS = join(ROOT, 'docs');
/** Paths below `DOCS` that each build of the site generates from the sources; not committed. */
export const API = 'reference/api';
export const COMMANDS_PAGE = 'reference/commands.md';
export const METRICS_PAGE = 'reference/metrics.md';
export const GALLERY_FILES = 'public/gallery';

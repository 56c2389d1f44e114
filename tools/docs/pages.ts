import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The folder of the site's pages. */
export const DOCS = join(ROOT, 'docs');
/** What is made from the sources whenever the site is, and is not committed; relative to `DOCS`. */
export const API = 'reference/api';
export const COMMANDS_PAGE = 'reference/commands.md';
export const METRICS_PAGE = 'reference/metrics.md';
export const GALLERY_FILES = 'public/gallery';

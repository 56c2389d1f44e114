import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeGallery } from '../../docs/.vitepress/gallery/files.ts';
import { writeApi } from './api.ts';
import { commandsPage } from './commands-page.ts';
import { metricsPage } from './metrics-page.ts';
import { COMMANDS_PAGE, DOCS, GALLERY_FILES, METRICS_PAGE } from './pages.ts';

/** Generates the pages and downloads that come from the sources. */
export async function generatePages(): Promise<void> {
  await writeFile(join(DOCS, COMMANDS_PAGE), await commandsPage());
  await writeFile(join(DOCS, METRICS_PAGE), metricsPage());
  await writeGallery(join(DOCS, GALLERY_FILES));
  await writeApi();
}

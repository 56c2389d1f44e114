import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeGallery } from '../../docs/.vitepress/gallery/files.ts';
import { writeApi } from './api.ts';
import { commandsPage } from './commands-page.ts';
import { COMMANDS_PAGE, DOCS, GALLERY_FILES } from './pages.ts';

/** Makes the pages and downloads that come from the sources. */
export async function generatePages(): Promise<void> {
  await writeFile(join(DOCS, COMMANDS_PAGE), await commandsPage());
  await writeGallery(join(DOCS, GALLERY_FILES));
  await writeApi();
}

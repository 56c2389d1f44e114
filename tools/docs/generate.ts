import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeApi } from './api.ts';
import { commandsPage } from './commands-page.ts';
import { COMMANDS_PAGE, DOCS } from './pages.ts';

/** Makes the pages that come from the sources. */
export async function generatePages(): Promise<void> {
  await writeFile(join(DOCS, COMMANDS_PAGE), await commandsPage());
  await writeApi();
}

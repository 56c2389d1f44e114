import { join } from 'node:path';
import { build } from 'vitepress';
import { generatePages } from './generate.ts';
import { DOCS } from './pages.ts';

export const help = `
npm run docs:build

Builds the site of the documentation into docs/.vitepress/dist/, for any web server of files. A link to a page that is
not there ends it.

  DOCS_BASE=/NAME/    in the environment: where the site stands on its server (/), as on GitHub Pages
`;

export async function main(): Promise<void> {
  await generatePages();
  await build(DOCS);
  console.log(join(DOCS, '.vitepress/dist'));
}

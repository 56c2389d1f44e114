import { join } from 'node:path';
import { build } from 'vitepress';
import { DOCS } from './serve.ts';

export const help = `
npm run docs:build

Builds the site of the documentation into docs/.vitepress/dist/. A link to a page that is not there ends it.

  DOCS_BASE=/NAME/    in the environment: where the site stands on its server (/), as on GitHub Pages
`;

export async function main(): Promise<void> {
  await build(DOCS);
  console.log(`the site is in ${join(DOCS, '.vitepress/dist')}`);
}

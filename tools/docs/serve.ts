import { createServer } from 'vitepress';
import { defineCommandLine } from '../../system/command-line/command-line.ts';
import { wholeNumber } from '../../system/command-line/parsers.ts';
import { generatePages } from './generate.ts';
import { DOCS } from './pages.ts';

const DEFAULT_PORT = 5173;

const commandLine = defineCommandLine({
  command: 'npm run docs --',
  about:
    'The site of the documentation, live: a page changes in the browser when its file in docs/ does. Prints the address.',
  options: {
    port: {
      valueName: 'N',
      about: `where to listen (${DEFAULT_PORT}, or the next free port)`,
      parse: wholeNumber(0, 65_535),
    },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const { port = DEFAULT_PORT } = commandLine.parse(args).values;
  await generatePages();
  const server = await createServer(DOCS, { port });
  await server.listen();
  server.printUrls();
}

import { parseArgs } from 'node:util';
import { createServer } from 'vitepress';
import { generatePages } from './generate.ts';
import { DOCS } from './pages.ts';

export const help = `
npm run docs [-- --port N]

The site of the documentation, live: a page changes in the browser when its file in docs/ does. Prints the address.

  --port N    where to listen (5173, or the next free port)
`;

export async function main(args: string[]): Promise<void> {
  const { port } = parseArgs({ args, options: { port: { type: 'string', default: '5173' } } }).values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new Error(`--port is '${port}', expected a number from 0 to 65535`);
  }
  await generatePages();
  const server = await createServer(DOCS, { port: Number(port) });
  await server.listen();
  server.printUrls();
}

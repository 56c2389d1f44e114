import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * What Node needs on its command line to run a module: tsx, if it is TypeScript and not from a bundle (bundle.ts). By its address,
 * since by name it would be looked for from the folder in which the command runs.
 */
export const nodeOptionsFor = (module: URL): string[] =>
  module.pathname.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
    : [];

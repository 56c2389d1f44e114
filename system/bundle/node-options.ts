import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Returns the Node options that run a module: `--import tsx` for TypeScript, none for a bundle (bundle.ts). tsx is
 * passed as a URL, because Node would resolve the name relative to the working directory.
 */
export const nodeOptionsFor = (module: URL): string[] =>
  module.pathname.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
    : [];

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/**
 * Returns the Node options that run a module: for TypeScript `--import tsx`, for a bundle (bundle.ts) none. tsx is
 * given as a URL, because Node would resolve its name from the working directory.
 */
export const nodeOptionsFor = (module: URL): string[] =>
  module.pathname.endsWith('.ts')
    ? ['--import', pathToFileURL(createRequire(module).resolve('tsx')).href]
    : [];

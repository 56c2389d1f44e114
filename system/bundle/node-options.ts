/** What Node needs on its command line to run a module: tsx, if it is TypeScript and not from a bundle (bundle.ts). */
export const nodeOptionsFor = (module: URL): string[] =>
  module.pathname.endsWith('.ts') ? ['--import', 'tsx'] : [];

import { buildSync } from 'esbuild';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

export interface Script {
  readonly code: string;
  readonly filename: string;
}

const require = createRequire(import.meta.url);
const read = new Map<string, Script>();

/** A file as its package has it: dash.js, unmodified. */
export function packaged(name: string): Script {
  const filename = require.resolve(name);
  const script = read.get(name) ?? { code: readFileSync(filename, 'utf8'), filename };
  read.set(name, script);
  return script;
}

/** The lab's page, as Chromium gets it: the plug-in, the arms, and a session; dash.js is what `require` gives. */
export function labScript(): Script {
  const filename = fileURLToPath(new URL('../../sessions/page/main.ts', import.meta.url));
  const script = read.get(filename) ?? { code: bundled(filename), filename: 'lab.js' };
  read.set(filename, script);
  return script;
}

function bundled(entry: string): string {
  const { outputFiles } = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'cjs',
    target: 'es2022',
    external: ['dashjs'],
    // Names the file that an arm with a model fetches.
    define: { 'import.meta.url': 'document.baseURI' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

import { buildSync } from 'esbuild';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Script {
  readonly code: string;
  readonly filename: string;
}

/**
 * The environment variable with the path of the built `labScript` in a virtual machine. esbuild does not run inside: it
 * lists the folders above the repository, so its number of system calls depends on what other programs put there, and
 * each call takes a microsecond of the machine's time, which would shift all later events.
 */
export const LAB_SCRIPT_VARIABLE = 'DASHJS_SAMMY_LAB_SCRIPT';

const require = createRequire(import.meta.url);
const read = new Map<string, Script>();

/** The paths, within the packages of dash.js 5, dash.js 4, hls.js and Shaka Player, of the file for a script tag. */
const PLACES = [
  'dist/modern/umd/dash.all.min.js',
  'dist/dash.all.min.js',
  'dist/hls.min.js',
  'dist/shaka-player.compiled.js',
];

/**
 * Returns the unmodified player of a package: `dashjs`, `hls.js`, `shaka-player`, or the name by which this project
 * installs an older version.
 */
export function packaged(name: string): Script {
  const before = read.get(name);
  if (before) return before;
  const folder = join(require.resolve.paths(name)?.find((path) => existsSync(join(path, name))) ?? '', name);
  const filename = PLACES.map((place) => join(folder, place)).find((place) => existsSync(place));
  if (filename === undefined)
    throw new Error(`there is no ${name} with ${PLACES.join(' or ')}; npm ci installs it`);
  const script = { code: readFileSync(filename, 'utf8'), filename };
  read.set(name, script);
  return script;
}

/**
 * Builds the script of the lab's page, the same as in Chromium: the plug-in, the arms, and a session. `require` returns
 * the players.
 */
export function labScript(): Script {
  const filename = join(fileURLToPath(new URL('../../real-time/page', import.meta.url)), 'main.ts');
  const built = process.env[LAB_SCRIPT_VARIABLE];
  const script = read.get(filename) ?? {
    code: built === undefined ? bundled(filename) : readFileSync(built, 'utf8'),
    filename: 'lab.js',
  };
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
    external: ['dashjs', 'hls.js', 'shaka-player'],
    // The URL relative to which an arm finds its model.
    define: { 'import.meta.url': 'document.baseURI' },
    logLevel: 'silent',
  });
  return outputFiles[0]?.text ?? '';
}

import { posix } from 'node:path';
import { transform } from 'esbuild';
import type { Plugin, UserConfig } from 'vite';
import { INTERNAL_NAMES, PLAYER_NAMES } from './internal-names.ts';

type Format = 'es' | 'cjs' | 'umd';

const MODULES: readonly Format[] = ['es', 'cjs'];
const SCRIPT: readonly Format[] = ['umd'];

/** Files of the published package that are built together: their source, name in dist/, and global for a script tag. */
export interface Library {
  readonly source: string;
  readonly file: string;
  readonly global: string;
  readonly formats: readonly Format[];
  /** A source file that is not bundled but loaded on demand, and its name in dist/. */
  readonly chunk?: { readonly source: string; readonly file: string };
}

/** The planner with its model, which its entry loads during a session. The file for a script tag includes both. */
const PLANNER_CHUNK = { source: 'src/planner-chunk.ts', file: 'dashjs-sammy-planner-chunk' };

/**
 * The files of the package. Each is self-contained, except for the planner's chunk, so code that two files need is in
 * both. dashjs-sammy.umd.js supports dash.js 4.7 and 5.
 */
export const LIBRARIES: readonly Library[] = [
  { source: 'src/index.ts', file: 'dashjs-sammy', global: 'dashjsSammy', formats: MODULES },
  { source: 'src/dashjs-4.ts', file: 'dashjs-sammy-dashjs-4', global: 'dashjsSammy', formats: MODULES },
  { source: 'src/dashjs-4.ts', file: 'dashjs-sammy', global: 'dashjsSammy', formats: SCRIPT },
  ...[MODULES, SCRIPT].flatMap((formats): Library[] => [
    { source: 'src/hls.ts', file: 'dashjs-sammy-hls', global: 'hlsSammy', formats },
    { source: 'src/shaka.ts', file: 'dashjs-sammy-shaka', global: 'shakaSammy', formats },
    { source: 'src/abr/index.ts', file: 'dashjs-sammy-abr', global: 'dashjsSammyAbr', formats },
    {
      source: 'src/experiment/index.ts',
      file: 'dashjs-sammy-experiment',
      global: 'dashjsSammyExperiment',
      formats,
    },
    { source: 'src/loop/index.ts', file: 'dashjs-sammy-loop', global: 'dashjsSammyLoop', formats },
    {
      source: 'src/planner.ts',
      file: 'dashjs-sammy-planner',
      global: 'dashjsSammyPlanner',
      formats,
      ...(formats === MODULES && { chunk: PLANNER_CHUNK }),
    },
  ]),
  { ...PLANNER_CHUNK, global: 'dashjsSammyPlannerChunk', formats: ['es'] },
];

/** The file for a script tag ends in .js, because servers do not send .cjs as JavaScript. */
const ENDINGS: Readonly<Record<string, string>> = { es: '.js', cjs: '.cjs', umd: '.umd.js' };

/**
 * Shortens the names of internal properties before terser runs, because terser can shorten given properties only if it
 * also renames variables.
 */
const shortenInternalNames = (source: string): Plugin => ({
  name: 'shorten-internal-names',
  renderChunk: async (code) => {
    const kept = PLAYER_NAMES[source] ?? [];
    const names = INTERNAL_NAMES.filter((name) => !kept.includes(name));
    const mangleProps = new RegExp(`^(${names.join('|')})$`);
    const shortened = await transform(code, { mangleProps, sourcemap: 'external' });
    return { code: shortened.code, map: shortened.map };
  },
});

/**
 * Keeps the import of a library's chunk instead of bundling the chunk. All formats of the library import the chunk as
 * an ES module.
 */
const importChunk = (chunk: Library['chunk']): Plugin => ({
  name: 'import-chunk',
  enforce: 'pre',
  resolveId: (imported) =>
    chunk && posix.basename(imported) === posix.basename(chunk.source)
      ? { id: `./${chunk.file}.js`, external: true }
      : null,
});

export const libraryConfig = ({ source, file, global, formats, chunk }: Library): UserConfig => ({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    // Write source maps without a reference in the files: the maps are published separately.
    sourcemap: 'hidden',
    // Suppress Rolldown's warning of five lines per file that terser takes nearly all of the time.
    rolldownOptions: { checks: { bundlerTimings: false } },
    lib: {
      entry: source,
      name: global,
      formats: [...formats],
      fileName: (format) => file + (ENDINGS[format] ?? ''),
    },
    // Use terser, because its output is 3% smaller than that of Vite's own minifier, which does not inline functions
    // that only mark a unit.
    minify: 'terser',
    terserOptions: {
      ecma: 2020,
      // Do not shorten variables in modules: an application's own minifier does it better with the original names, by
      // 0.05 kB gzipped.
      mangle: formats.includes('umd'),
      // `reduce_funcs: false` keeps functions that have one caller, which makes an application's gzipped bundle 0.15 kB
      // smaller. `hoist_funs` moves all functions to the front, which saves another 0.07 kB. A second pass would save
      // 4 bytes gzipped, for a third more time.
      compress: { passes: 1, inline: 1, reduce_funcs: false, hoist_funs: true },
    },
  },
  plugins: [shortenInternalNames(source), importChunk(chunk)],
  publicDir: false,
});

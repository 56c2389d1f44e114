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
  /** A source file that stays outside and is loaded on demand, and its name in dist/. */
  readonly chunk?: { readonly source: string; readonly file: string };
}

/** The planner with its model, which its entry loads during a session. In the file for a script tag it is inside. */
const PLANNER_CHUNK = { source: 'src/planner-chunk.ts', file: 'dashjs-sammy-planner-chunk' };

/** Each file stands alone: code that two of them need is in both. The file for a script tag drives dash.js 4.7 and 5. */
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

/** Before terser, whose own way to do this takes no list without also renaming variables. */
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

/** Keeps the import of a library's chunk, instead of bundling the chunk. Each format of the library imports the ES module. */
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
    // terser takes nearly all of the time, of which Rolldown warns with five lines for each file.
    rolldownOptions: { checks: { bundlerTimings: false } },
    lib: {
      entry: source,
      name: global,
      formats: [...formats],
      fileName: (format) => file + (ENDINGS[format] ?? ''),
    },
    // terser's output is 3% smaller than that of Vite's own minifier, which does not inline functions that only mark a unit.
    minify: 'terser',
    // Not inlining functions that have one caller, and hoisting all functions to the front, make an application's gzipped
    // bundle smaller: by 0.15 kB and by 0.07 kB.
    terserOptions: {
      ecma: 2020,
      // An application's own minifier shortens names better if they are as they were: by 0.05 kB gzipped.
      mangle: formats.includes('umd'),
      compress: { passes: 3, inline: 1, reduce_funcs: false, hoist_funs: true },
    },
  },
  plugins: [shortenInternalNames(source), importChunk(chunk)],
  publicDir: false,
});

import type { UserConfig } from 'vite';

type Format = 'es' | 'cjs' | 'umd';

/** Files of the published package that are built together: their source, name in dist/, and global for a script tag. */
export interface Library {
  readonly source: string;
  readonly file: string;
  readonly global: string;
  readonly formats: readonly Format[];
}

const MODULES: readonly Format[] = ['es', 'cjs'];

/** Each file stands alone: code that two of them need is in both. The file for a script tag drives dash.js 4.7 and 5. */
export const LIBRARIES: readonly Library[] = [
  { source: 'src/index.ts', file: 'dashjs-sammy', global: 'dashjsSammy', formats: MODULES },
  { source: 'src/dashjs-4.ts', file: 'dashjs-sammy-dashjs-4', global: 'dashjsSammy', formats: MODULES },
  { source: 'src/dashjs-4.ts', file: 'dashjs-sammy', global: 'dashjsSammy', formats: ['umd'] },
  {
    source: 'src/abr/index.ts',
    file: 'dashjs-sammy-abr',
    global: 'dashjsSammyAbr',
    formats: [...MODULES, 'umd'],
  },
  {
    source: 'src/experiment/index.ts',
    file: 'dashjs-sammy-experiment',
    global: 'dashjsSammyExperiment',
    formats: [...MODULES, 'umd'],
  },
  {
    source: 'src/loop/index.ts',
    file: 'dashjs-sammy-loop',
    global: 'dashjsSammyLoop',
    formats: [...MODULES, 'umd'],
  },
];

/** The file for a script tag ends in .js, because servers do not send .cjs as JavaScript. */
const ENDINGS: Readonly<Record<string, string>> = { es: '.js', cjs: '.cjs', umd: '.umd.js' };

export const libraryConfig = ({ source, file, global, formats }: Library): UserConfig => ({
  build: {
    target: 'es2022',
    emptyOutDir: false,
    // Beside the files, and named by none of them: the maps are published apart.
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
      compress: { passes: 3, inline: 1, reduce_funcs: false, hoist_funs: true },
    },
  },
  publicDir: false,
});

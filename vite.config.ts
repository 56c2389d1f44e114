import { defineConfig } from 'vite';

/**
 * The published plug-in: an ES module, a CommonJS one for `require`, and a UMD file for a script tag (global
 * `dashjsSammy`), whose name ends in .js because servers do not send .cjs as JavaScript.
 */
export default defineConfig({
  build: {
    target: 'es2022',
    lib: {
      entry: 'src/index.ts',
      name: 'dashjsSammy',
      formats: ['es', 'cjs', 'umd'],
      fileName: (format) =>
        `dashjs-sammy${{ es: '.js', cjs: '.cjs', umd: '.umd.js' }[format as 'es' | 'cjs' | 'umd']}`,
    },
    // 3% smaller than Vite's own minifier, which does not inline the functions that only mark a unit.
    minify: 'terser',
    // Not inlining functions that have one caller, and hoisting all functions to the front, make an application's gzipped
    // bundle smaller: 13.97 kB without either, 13.82 kB without hoisting, 13.75 kB with both.
    terserOptions: {
      ecma: 2020,
      compress: { passes: 3, inline: 1, reduce_funcs: false, hoist_funs: true },
    },
  },
  publicDir: false,
});

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
    // 3% smaller than with Vite's own minifier, which does not inline the functions that only mark a unit.
    minify: 'terser',
    // A function with one caller stays a function of its own: wrapped into its caller it takes more in an application's
    // bundle, gzipped (13.97 kB instead of 13.82). So does what is not in order: functions come first (13.75 kB).
    terserOptions: {
      ecma: 2020,
      compress: { passes: 3, inline: 1, reduce_funcs: false, hoist_funs: true },
    },
  },
  publicDir: false,
});

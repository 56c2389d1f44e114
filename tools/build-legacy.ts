import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import { build } from 'esbuild';
import { minify } from 'terser';

/**
 * The plug-in for televisions: one script in ES5, as far back as webOS TV 3.0. esbuild makes one file of the
 * sources; Babel lowers it to ES5, and imports from core-js-pure what Chrome 38 lacks, which leaves the page's own
 * Array, Promise and so on alone; esbuild bundles those in.
 */

/** The browser of webOS TV 3.0, from 2016. Tizen 3.0 has 47, webOS TV 4 has 53. */
const OLDEST_BROWSER = 'chrome 38';

const { version: coreJsVersion } = createRequire(import.meta.url)('core-js-pure/package.json') as {
  version: string;
};

/** CommonJS, AMD, or the global `dashjsSammy` of a script tag, as in the file for today's browsers. */
const UMD = {
  head: `/*! Polyfills: core-js-pure ${coreJsVersion}, MIT, see github.com/zloirock/core-js */
(function (root, define, factory) {
  if (typeof exports === 'object' && typeof module !== 'undefined') return factory(exports);
  var own = {};
  factory(own);
  if (define && define.amd) define([], function () { return own; });
  else root.dashjsSammy = own;
})(typeof self === 'undefined' ? this : self, typeof define === 'function' && define, function (exports) {`,
  foot: '});',
};

export async function buildLegacy(root: string): Promise<void> {
  const bundled = await build({
    stdin: {
      contents: `export * from './src/dashjs-4.ts'; export * from './src/abr/index.ts';`,
      resolveDir: root,
    },
    bundle: true,
    format: 'esm',
    target: 'esnext',
    write: false,
  });
  const lowered = await transformAsync(bundled.outputFiles[0]?.text ?? '', {
    babelrc: false,
    configFile: false,
    sourceType: 'module',
    // As WeakMaps, private fields would be slow where WeakMap is a polyfill.
    assumptions: { privateFieldsAsProperties: true, setPublicClassFields: true },
    // As ES modules, esbuild would ask for the prototype of what core-js exports, which may be a symbol: ES5 throws.
    presets: [['@babel/preset-env', { targets: OLDEST_BROWSER, modules: 'commonjs' }]],
    plugins: [
      [
        'polyfill-corejs3',
        {
          method: 'usage-pure',
          version: coreJsVersion,
          targets: OLDEST_BROWSER,
          // It takes `at` for a proposal, which it was once; `alias` below leaves the real proposals out.
          proposals: true,
        },
      ],
    ],
  });
  const { outputFiles } = await build({
    stdin: { contents: lowered?.code ?? '', resolveDir: root },
    bundle: true,
    alias: { 'core-js-pure/features': 'core-js-pure/stable' },
    format: 'cjs',
    target: 'es5',
    minify: true,
    banner: { js: UMD.head },
    footer: { js: UMD.foot },
    write: false,
  });
  // esbuild leaves `exports` its name, by which tools would take the script for CommonJS in a package of ES modules.
  const { code = '' } = await minify(outputFiles[0]?.text ?? '', { ecma: 5, compress: false });
  await writeFile(join(root, 'dist/dashjs-sammy.legacy.umd.js'), code);
}

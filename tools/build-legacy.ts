import { createRequire } from 'node:module';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import { build } from 'esbuild';
import { minify } from 'terser';

/**
 * Builds the plug-in for televisions: one script in ES5, for webOS TV 3.0 and later. esbuild bundles the sources into
 * one file. Babel compiles it to ES5, and imports the built-ins missing in Chrome 38 from core-js-pure, which does not
 * change the page's own built-ins, such as Array and Promise. esbuild then bundles these imports.
 */

/** The browser of webOS TV 3.0, from 2016. Tizen 3.0 has Chrome 47, webOS TV 4 has 53. */
const OLDEST_BROWSER = 'chrome 38';

const { version: coreJsVersion } = createRequire(import.meta.url)('core-js-pure/package.json') as {
  version: string;
};

/**
 * The wrapper of the script, for CommonJS, AMD, or the global `dashjsSammy` of a script tag, as in the script for
 * current browsers.
 */
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
    // Compile private fields to properties: WeakMaps, the alternative, are slow where WeakMap is a polyfill.
    assumptions: { privateFieldsAsProperties: true, setPublicClassFields: true },
    // Compile to CommonJS. For ES modules, esbuild calls Object.getPrototypeOf on core-js's exports, which throws in
    // ES5 if an export is a symbol.
    presets: [['@babel/preset-env', { targets: OLDEST_BROWSER, modules: 'commonjs' }]],
    plugins: [
      [
        'polyfill-corejs3',
        {
          method: 'usage-pure',
          version: coreJsVersion,
          targets: OLDEST_BROWSER,
          // The core-js plug-in still treats `at` as a proposal. `alias` below leaves out the real proposals.
          proposals: true,
          // Leave out the URL polyfill (9 kB gzipped): Sammy only reads a URL's origin, which Chrome supports since
          // version 32.
          exclude: [/^web\.url/],
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
  // terser renames `exports`, which esbuild keeps. Tools that see this name would treat the script as CommonJS in a
  // package of ES modules.
  const { code = '' } = await minify(outputFiles[0]?.text ?? '', { ecma: 5, compress: false });
  await writeFile(join(root, 'dist/dashjs-sammy.legacy.umd.js'), code);
}

import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './steps.ts';

/**
 * The maximum size of the plug-in's part of an application's bundle, in bytes, minified and gzipped. The target is
 * 15,000 bytes. The limit is the size of November 2026, rounded up to 50 bytes. These features have increased it beyond
 * the target: giving up requests that are not answered, pacing below the network's rate, distrusting times that include
 * a sleep of the device, recognizing WebKit's cache, and the code that all adapters share.
 */
export const LARGEST_CONSUMER_BUNDLE_BYTES = 16_100;
/** The same limit for the entry that also supports dash.js 4.7. */
export const LARGEST_DASHJS_4_BUNDLE_BYTES = 17_750;
/** The same limit for the entry for hls.js, with the same target. */
export const LARGEST_HLS_BUNDLE_BYTES = 16_300;
/** The same limit for the entry for Shaka Player, with the same target. */
export const LARGEST_SHAKA_BUNDLE_BYTES = 16_500;

/** Bundles and minifies an application that uses only one export of one of the built plug-in's entries. */
export async function consumerBundle(
  entry = 'dashjs-sammy',
  name = 'attachSammy',
): Promise<{ readonly code: string; readonly gzipped_bytes: number }> {
  const { outputFiles } = await build({
    stdin: {
      contents: `import { ${name} } from '${entry}'; globalThis.used = ${name};`,
      resolveDir: root,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const code = outputFiles[0]?.text ?? '';
  return { code, gzipped_bytes: gzipSync(code, { level: 9 }).length };
}

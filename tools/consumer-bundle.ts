import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './steps.ts';

/** The target for the plug-in's part of a page's bundle, in bytes over the network. */
export const LARGEST_CONSUMER_BUNDLE_BYTES = 15_000;
/** The same of the entry for dash.js 4.7 and 5: its present size, rounded up to 50 bytes. */
export const LARGEST_DASHJS_4_BUNDLE_BYTES = 16_250;

/** Bundles and minifies an application that uses one export of one of the built plug-in's entries and nothing else. */
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

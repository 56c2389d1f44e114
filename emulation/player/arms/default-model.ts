/** The part of Node's `process` that is used here. Arms also run in the page, so they must not import Node. */
interface NodeProcess {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL): Uint8Array };
}

/**
 * Returns a model's file in the package: in a page its URL; in Node a function that reads it synchronously, so that a
 * simulated session has the model from the start.
 */
const packaged = (file: URL): URL | (() => Uint8Array) =>
  file.protocol === 'file:'
    ? () =>
        (globalThis as unknown as { process: NodeProcess }).process
          .getBuiltinModule('node:fs')
          .readFileSync(file)
    : file;

/** The package's models. The page's bundler puts each file next to the script. */
export const defaultModel = packaged(new URL('../../../models/fugu-ttp.bin', import.meta.url));
export const bitratePolicy = packaged(new URL('../../../models/pensieve-bitrate.bin', import.meta.url));
export const ssimPolicy = packaged(new URL('../../../models/pensieve-ssim.bin', import.meta.url));

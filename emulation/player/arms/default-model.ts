/** Of Node: arms are in the page too, and import nothing of it. */
interface NodeProcess {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL): Uint8Array };
}

/** A model of the package: in a page, its address; in Node a function that reads it at once, so that a simulated session has it from the start. */
const packaged = (file: URL): URL | (() => Uint8Array) =>
  file.protocol === 'file:'
    ? () =>
        (globalThis as unknown as { process: NodeProcess }).process
          .getBuiltinModule('node:fs')
          .readFileSync(file)
    : file;

/** The package's models. For the page, its bundler puts each file beside the script. */
export const defaultModel = packaged(new URL('../../../models/fugu-ttp.bin', import.meta.url));
export const bitratePolicy = packaged(new URL('../../../models/pensieve-bitrate.bin', import.meta.url));
export const ssimPolicy = packaged(new URL('../../../models/pensieve-ssim.bin', import.meta.url));

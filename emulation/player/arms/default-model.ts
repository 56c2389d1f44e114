/** The package's model. For the page, its bundler puts the file beside the script. */
const FILE = new URL('../../../models/fugu-ttp.bin', import.meta.url);

/** Of Node: arms are in the page too, and import nothing of it. */
interface NodeProcess {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL): Uint8Array };
}

/** In a page, its address; in Node a function that reads it at once, so that a simulated session has it from the start. */
export const defaultModel: URL | (() => Uint8Array) = FILE.protocol === 'file:' ? read : FILE;

function read(): Uint8Array {
  return (globalThis as unknown as { process: NodeProcess }).process
    .getBuiltinModule('node:fs')
    .readFileSync(FILE);
}

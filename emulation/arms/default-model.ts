/** The package's model. For the page, its bundler puts the file beside the script. */
const FILE = new URL('../../models/fugu-ttp.bin', import.meta.url);

/** Of Node: arms are in the page too, and import nothing of it. */
interface NodeProcess {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL): Uint8Array };
}

/** In a page the file is fetched; in Node it is read at once, so that a simulated session has it from the start. */
export function defaultModel(): Uint8Array | Promise<ArrayBuffer> {
  if (FILE.protocol === 'file:')
    return (globalThis as unknown as { process: NodeProcess }).process
      .getBuiltinModule('node:fs')
      .readFileSync(FILE);
  return fetch(FILE).then((response) => {
    if (!response.ok) throw new Error(`HTTP status ${response.status} of ${FILE.pathname}`);
    return response.arrayBuffer();
  });
}

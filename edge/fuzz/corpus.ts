import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** `cmcd`: CMCD payloads for the policy. `raw`: the bytes of complete HTTP requests. */
export type Kind = 'cmcd' | 'raw';

const corpusFile = (kind: Kind) => fileURLToPath(new URL(`corpus/${kind}.json`, import.meta.url));

/** Reads the saved inputs, which failed in earlier versions. */
export const readCorpus = async (kind: Kind): Promise<string[]> =>
  JSON.parse(await readFile(corpusFile(kind), 'utf8')) as string[];

export async function addToCorpus(kind: Kind, inputs: readonly string[]): Promise<void> {
  if (inputs.length === 0) return;
  const corpus = [...new Set([...(await readCorpus(kind)), ...inputs])];
  await writeFile(corpusFile(kind), `${JSON.stringify(corpus, null, 2)}\n`);
}

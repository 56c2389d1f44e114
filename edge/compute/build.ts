import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnProgress } from '../media/progress.ts';
import { runQuietly } from '../media/run-quietly.ts';
import { ensureJsCompute } from './install.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const edge = join(here, '..');
/** Where the Fastly CLI looks for it. */
export const WASM = join(here, 'bin/main.wasm');

/** Compiles service.ts, unless nothing that it could be made of is younger than what is there. */
export async function ensureWasm(onProgress: OnProgress): Promise<string> {
  const built = await modified(WASM);
  const sources = await Promise.all(
    [edge, here, join(edge, '../src'), join(edge, '../src/wire')].map(newest),
  );
  if (built > Math.max(...sources)) return WASM;
  const cli = await ensureJsCompute(onProgress);
  onProgress({ task: 'Compiling edge/compute/service.ts to WebAssembly' });
  await mkdir(join(here, 'bin'), { recursive: true });
  const unfinished = `${WASM}.${process.pid}`;
  try {
    await runQuietly(process.execPath, [cli, join(here, 'service.ts'), unfinished], { cwd: here });
    await rename(unfinished, WASM);
  } finally {
    await rm(unfinished, { force: true });
  }
  return WASM;
}

/** Milliseconds; 0 for what is not there. */
const modified = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

async function newest(folder: string): Promise<number> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return Math.max(...(await Promise.all(files.map((name) => modified(join(folder, name))))));
}

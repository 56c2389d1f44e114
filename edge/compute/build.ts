import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { ensureJsCompute } from './install.ts';

const here = fileURLToPath(new URL('.', import.meta.url));

/** The folders with the services' sources. The linter checks that services import from no other folders. */
const SOURCE_FOLDERS = ['..', '../../src'].map((room) => join(here, room));

/**
 * The entry files and the names of their compiled modules. The Fastly CLI expects main.wasm; bench/chain.ts uses the
 * other.
 */
const MODULES = { 'service.ts': 'main.wasm', 'bench-service.ts': 'bench.wasm' } as const;

/** Compiles an entry file, unless the compiled module is newer than all sources. */
export async function ensureWasm(
  onProgress: OnProgress,
  entry: keyof typeof MODULES = 'service.ts',
): Promise<string> {
  const module = join(here, 'bin', MODULES[entry]);
  const built = await modified(module);
  const sources = await Promise.all(SOURCE_FOLDERS.map(newest));
  if (built > Math.max(...sources)) return module;
  const cli = await ensureJsCompute(onProgress);
  onProgress({ task: `Compiling edge/compute/${entry} to WebAssembly` });
  await mkdir(join(here, 'bin'), { recursive: true });
  const unfinished = `${module}.${process.pid}`;
  try {
    await runQuietly(process.execPath, [cli, join(here, entry), unfinished], { cwd: here });
    await rename(unfinished, module);
  } finally {
    await rm(unfinished, { force: true });
  }
  return module;
}

/** A file's modification time, ms since 1970; 0 if there is no such file. */
const modified = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

async function newest(folder: string): Promise<number> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('node_modules'),
  );
  return Math.max(...(await Promise.all(files.map((name) => modified(join(folder, name))))));
}

import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { OnProgress } from '../media/progress.ts';
import { runQuietly } from '../media/run-quietly.ts';
import { ensureJsCompute } from './install.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const edge = join(here, '..');

/** The service, whose module the Fastly CLI looks for in bin/main.wasm, and the one that edge/chain-bench.ts times. */
const MODULES = { 'service.ts': 'main.wasm', 'bench-service.ts': 'bench.wasm' } as const;

/** Compiles an entry file, unless nothing that it could be made of is younger than what is there. */
export async function ensureWasm(
  onProgress: OnProgress,
  entry: keyof typeof MODULES = 'service.ts',
): Promise<string> {
  const module = join(here, 'bin', MODULES[entry]);
  const built = await modified(module);
  const sources = await Promise.all(
    [edge, here, join(edge, '../src'), join(edge, '../src/wire')].map(newest),
  );
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

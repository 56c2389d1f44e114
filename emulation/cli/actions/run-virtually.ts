import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../system/bundle/bundle.ts';
import { progressPrinter, type OnProgress } from '../../../system/progress.ts';
import { ensureKernel } from '../../host/machine/ensure-kernel.ts';
import type { KernelVersion } from '../../host/machine/kernels.ts';
import { runInside } from '../../host/machine/run-inside.ts';
import { hasManifest } from '../../harness/runs/manifest.ts';
import { merge } from '../../harness/runs/merge.ts';
import { COMMIT_VARIABLE, readCommit } from '../../harness/runs/provenance.ts';
import { LAB_SCRIPT_VARIABLE, labScript } from '../../player/page/lab/scripts.ts';
import { findStudy } from '../../studies/sessions/index.ts';

/** The packages whose programs run inside the virtual machine. */
const PACKAGES = ['system', 'p4', 'edge', 'buffers', 'emulation'];
/** The mount point of the bundled programs in the machine. The path is constant, so that every run is identical. */
const BUNDLE = '/run/bundle';
/** The name of the page's script in this folder. */
const LAB_SCRIPT = 'lab.js';
const ENTRY = new URL('../../../tools/main.ts', import.meta.url);

interface VirtualRun {
  readonly kernel: KernelVersion;
  readonly jobs: number;
  /** The arguments after `lab run`, as typed. */
  readonly args: readonly string[];
  readonly command: string;
  readonly outDir: string;
  /** Downloads the runs' requirements, because the machine has no network. */
  readonly prepare: (print: OnProgress) => Promise<unknown>;
}

/**
 * Runs `lab run --clock virtual`: the same command in a machine with a virtual clock. With several jobs, each machine
 * runs one shard, and the results are merged. Returns the exit status.
 */
export async function runVirtually({
  kernel,
  jobs,
  args,
  command,
  outDir,
  prepare,
}: VirtualRun): Promise<number> {
  if (jobs > 1 && existsSync(outDir)) throw new Error(`${outDir} already exists; choose another --out`);
  const print = progressPrinter();
  const program = await ensureKernel(kernel, print);
  await prepare(print);
  print.end();
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-bundle-'));
  try {
    const main = await bundle(ENTRY, PACKAGES, folder, BUNDLE);
    await writeFile(join(folder, LAB_SCRIPT), labScript().code);
    const env = { [COMMIT_VARIABLE]: await readCommit(), [LAB_SCRIPT_VARIABLE]: join(BUNDLE, LAB_SCRIPT) };
    const inside = async (...words: string[]): Promise<number> => {
      const lab = [process.execPath, main, 'lab', 'run', ...args, ...words];
      const { status } = await runInside(program, lab, {
        env,
        mounts: { [BUNDLE]: folder },
        onOutput: (stream, chunk) => void process[stream].write(chunk),
      });
      return status;
    };
    if (jobs === 1) return await inside();
    const parts = Array.from({ length: jobs }, (_, index) => `${outDir}-${index + 1}-of-${jobs}`);
    const statuses = await Promise.all(
      parts.map((part, index) =>
        inside(
          ...['--shard', `${index + 1}/${jobs}`, '--out', part],
          ...(hasManifest(part) ? ['--resume'] : []),
        ),
      ),
    );
    const failed = statuses.find((status) => status !== 0);
    if (failed !== undefined) return failed;
    await merge({ folders: parts, outDir, command, mixedCommits: false, findStudy });
    for (const part of parts) await rm(part, { recursive: true, force: true });
    return 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

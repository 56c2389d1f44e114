import { progressPrinter } from '../../system/progress.ts';
import { wordsOf } from '../words/words.ts';
import { transferInside, wrongWith } from './check-machine.ts';
import { ensureKernel } from './ensure-kernel.ts';
import { DEFAULT_KERNEL, kernelNamed, KERNELS } from './kernels.ts';
import { runInside } from './run-inside.ts';

const words = wordsOf({
  action: 'machine',
  takes: '[options] [-- COMMAND]',
  about:
    'A machine whose clock is virtual: a Linux kernel as an ordinary process, without root, with the files of this one. Computing takes no time there, and waiting is skipped, so that what it does is the same on any machine. Alone, it is built (some nine minutes of processor time, once) and checked by a transfer; with a COMMAND, that runs inside, as root of the machine.',
  options: {
    kernel: { of: 'V', about: `${Object.keys(KERNELS).join(', ')} (${DEFAULT_KERNEL})` },
    memory: { of: 'MIB', about: 'that the machine has (4096); the host gives only what is used' },
  },
});
export const { help } = words;

export async function main(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const command = end < 0 ? [] : args.slice(end + 1);
  const { values } = words.read(end < 0 ? args : args.slice(0, end));
  const version = kernelNamed(values.kernel ?? DEFAULT_KERNEL);
  const memory_mib = Number(values.memory ?? 4096);
  if (!Number.isInteger(memory_mib) || memory_mib < 256)
    throw new Error(`--memory is a whole number of MiB, at least 256, not '${String(values.memory)}'`);

  const print = progressPrinter();
  const kernel = await ensureKernel(version, print);
  print.end();
  if (command.length > 0) {
    const onOutput = (stream: 'stdout' | 'stderr', chunk: Buffer): void => {
      process[stream].write(chunk);
    };
    const { status } = await runInside(kernel, command, { memory_mib, onOutput });
    process.exitCode = status;
    return;
  }
  const transfer = await transferInside(kernel);
  const wrong = wrongWith(transfer);
  if (wrong !== null) throw new Error(`the machine of Linux ${version} is not to be trusted: ${wrong}`);
  console.log(
    `Linux ${version} is ready, and checked: 20 MB through 40 Mbit/s and 5 ms at ${transfer.mbps.toFixed(3)} Mbit/s, ${transfer.ms.toFixed(3)} ms of its own time\n${kernel}`,
  );
}

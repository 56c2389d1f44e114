import { progressPrinter } from '../../../system/progress.ts';
import { defineCommandLine } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';
import { transferInside, findTransferProblem } from './check-machine.ts';
import { ensureKernel } from './ensure-kernel.ts';
import { DEFAULT_KERNEL, KERNEL_OPTION } from './kernels.ts';
import { runInside } from './run-inside.ts';

const commandLine = defineCommandLine({
  command: 'npm run lab -- machine',
  usage: '[options] [-- COMMAND]',
  about:
    'A machine whose clock is virtual: a Linux kernel as an ordinary process, without root, with the files of this one. Computing takes no time there, and waiting is skipped, so that what it does is the same on any machine. Alone, it is built (some nine minutes of processor time, once) and checked by a transfer; with a COMMAND, that runs inside, as root of the machine.',
  options: {
    kernel: KERNEL_OPTION,
    memory: {
      valueName: 'MIB',
      about: 'that the machine has (4096); the host gives only what is used',
      parse: wholeNumber(256),
    },
  },
});
export const { help } = commandLine;

export async function main(args: readonly string[]): Promise<void> {
  const end = args.indexOf('--');
  const command = end < 0 ? [] : args.slice(end + 1);
  const { values } = commandLine.parse(end < 0 ? args : args.slice(0, end));
  const { kernel: version = DEFAULT_KERNEL, memory: memory_mib = 4096 } = values;

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
  const wrong = findTransferProblem(transfer);
  if (wrong !== null) throw new Error(`the virtual machine with Linux ${version} is not reliable: ${wrong}`);
  console.log(
    `Linux ${version} is ready, and checked: 20 MB through 40 Mbit/s and 5 ms at ${transfer.mbps.toFixed(3)} Mbit/s, ${transfer.ms.toFixed(3)} ms of its own time\n${kernel}`,
  );
}

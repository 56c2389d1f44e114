import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { defineCommandLine, defineCommands } from '../../system/command-line/command-line.ts';
import { numberAbove } from '../../system/command-line/parsers.ts';
import { progressPrinter, type OnProgress } from '../../system/progress.ts';
import { buildTransport, crateFolder } from '../../transport/build.ts';

export const help = `
Runs QUIC congestion controllers in virtual time and over UDP: Indigo, Copa, Vivace, and quinn's cubic, reno and bbr. Needs Rust (cargo).

    npm run transport -- train --out models/indigo.bin             trains Indigo, in minutes
    npm run transport -- evaluate --links development|grid|drawn   scores of all controllers on a set of links
    npm run transport -- over-udp                                  ten links in network namespaces, and in virtual time
    npm run transport -- simulate --controller NAME                flows over one link in virtual time
    npm run transport -- receive --port N                          receives over UDP
    npm run transport -- send ADDRESS:PORT --controller NAME       sends over UDP as fast as it may
    npm run transport -- help [COMMAND]                            all options
`;

/**
 * The commands of the crate's program, repeated here so that a typo is reported before the crate is built, which takes
 * minutes.
 */
const commands = defineCommands('npm run transport --', 'COMMAND [options]', {
  train: { about: '' },
  evaluate: { about: '' },
  'over-udp': { about: '' },
  simulate: { about: '' },
  receive: { about: '' },
  send: { about: '' },
  help: { about: '' },
});

const overUdp = defineCommandLine({
  command: 'npm run transport -- over-udp',
  about:
    'Runs a controller over UDP through ten links in network namespaces, and in virtual time over the same links. Needs root.',
  options: {
    controller: {
      valueName: 'NAME',
      about: 'cubic, reno, bbr, copa, vivace or indigo (indigo when not given)',
    },
    seconds: { valueName: 'S', about: 'length of each run (15)', parse: numberAbove(0, 3600) },
  },
});

/** Implements `npm run transport`: builds the crate, and runs its program with these arguments. */
export async function main(args: string[]): Promise<void> {
  const [command] = args;
  if (command === undefined) {
    console.log(help.trim());
    return;
  }
  commands.named(command);
  const print = progressPrinter();
  try {
    if (command === 'over-udp') {
      const { compareOverUdp, formatTable } = await import('./over-udp.ts');
      const { controller = 'indigo', seconds = 15 } = overUdp.parse(args.slice(1)).values;
      const program = await buildTransport(print);
      console.log(formatTable(await compareOverUdp({ program, controller, seconds }, print)));
      return;
    }
    process.exitCode = await runProgram(args, print);
  } finally {
    print.end();
  }
}

async function runProgram(args: readonly string[], onProgress: OnProgress): Promise<number> {
  const program = await buildTransport(onProgress);
  const provenance = args[0] === 'train' ? ['--commit', commit()] : [];
  const child = spawn(program, [...args, ...provenance], { stdio: 'inherit' });
  const [code] = (await once(child, 'close')) as [number | null];
  return code ?? 1;
}

/** Returns the commit of the sources, followed by `+` if there are uncommitted changes. */
function commit(): string {
  try {
    const git = (...words: string[]): string =>
      execFileSync('git', words, { cwd: crateFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const head = git('rev-parse', '--short', 'HEAD').trim();
    return git('status', '--porcelain', '.') === '' ? head : `${head}+`;
  } catch {
    return 'unknown';
  }
}
